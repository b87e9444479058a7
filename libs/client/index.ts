// The typed client of the REST API.
export { ApiError } from './api-error.ts';
export { Client, createClient } from './client.ts';
export type { ClientOptions } from './http.ts';
export type {
  AcceptedRun,
  Attempt,
  Component,
  ComponentSummary,
  Counters,
  Delivery,
  EventSummary,
  Filter,
  NewSource,
  NewWebhook,
  Page,
  Position,
  Preview,
  Run,
  Source,
  Subscription,
  SubscriptionDetail,
  User,
  Webhook,
} from './records.ts';
export type {
  ComponentsRequest,
  DeliveriesRequest,
  DeployRequest,
  EventsRequest,
  IgnoringHooks,
  NewSubscriptionRequest,
  NewWebhookRequest,
  Paging,
  PreviewRequest,
  Repeatable,
  DeleteEventsRequest,
  RunNowRequest,
  SaveRequest,
  SubscriptionRequest,
  UpdateRequest,
} from './requests.ts';
