// The typed client of the REST API.
export type { NewApiKeyRequest } from './keys/api-keys.ts';
export type { ApiKey, NewApiKey, Scope } from './keys/api-key-records.ts';
export type { StoredData, StoredEntry } from './stores/data-store-records.ts';
export type { Account, App, Credentials, CustomField } from './accounts/account-records.ts';
export type {
  Accounts,
  AccountsRequest,
  AccountUpdateRequest,
  AppsRequest,
  NewAccountRequest,
} from './accounts/accounts.ts';
export type { AutoSubscriptionRequest, AutoSubscriptions } from './auto-subscriptions.ts';
export { ApiError } from './api-error.ts';
export { Client, createClient } from './client.ts';
export type { ClientOptions } from './http.ts';
export type { HistoryQuery, HistoryRecord } from './history/history-records.ts';
export type { ExportRequest } from './history/signed-history.ts';
export type {
  AcceptedRun,
  Component,
  ComponentSummary,
  Counters,
  EventSummary,
  Filter,
  Health,
  WebhookWithKey,
  NewSource,
  NewWebhook,
  Page,
  Position,
  Preview,
  Published,
  Run,
  Source,
  SourceCode,
  Subscription,
  SubscriptionDetail,
  User,
  Webhook,
} from './records.ts';
export type { Attempt, AttemptStats, Delivery, Filtered, Replay, ReplayCount, Stats } from './delivery-records.ts';
export type { ConfigurableProp } from './configurable-prop.ts';
export type {
  ComponentReference,
  OptionsRequest,
  PropOptions,
  PropsForValues,
  PropsRequest,
} from './forms/form-records.ts';
export type {
  ComponentsRequest,
  DeliveriesRequest,
  DeployRequest,
  EventsRequest,
  EventStreamRequest,
  HookErrorOptions,
  NewSigningKeyRequest,
  NewSubscriptionRequest,
  NewWebhookRequest,
  Paging,
  PositionsRequest,
  PreviewRequest,
  PublishedEvent,
  Repeatable,
  DeleteEventsRequest,
  RunNowRequest,
  RunsRequest,
  SaveRequest,
  SubscriptionsRequest,
  Search,
  Span,
  StatsRequest,
  StartPosition,
  ReplayPosition,
  ReplayRequest,
  StreamRequest,
  SubscriptionDeliveriesRequest,
  SubscriptionRequest,
  UpdateRequest,
  WebhookUpdateRequest,
} from './requests.ts';
export type { StreamMessage } from './streams/stream-messages.ts';
