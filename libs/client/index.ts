// The typed client of the REST API.
export { ApiError } from './api-error.ts';
export { Client, createClient } from './client.ts';
export type { ClientOptions } from './http.ts';
export type {
  AcceptedRun,
  Attempt,
  Component,
  ComponentSummary,
  Delivery,
  EventSummary,
  NewSource,
  NewWebhook,
  Page,
  Run,
  Source,
  Replay,
  ReplayCount,
  Subscription,
  User,
  Webhook,
} from './records.ts';
export type {
  ComponentsRequest,
  DeliveriesRequest,
  DeployRequest,
  EventsRequest,
  IgnoringHooks,
  NewWebhookRequest,
  Paging,
  Repeatable,
  DeleteEventsRequest,
  RunNowRequest,
  SaveRequest,
  Position,
  ReplayPosition,
  ReplayRequest,
  SubscriptionRequest,
  UpdateRequest,
} from './requests.ts';
