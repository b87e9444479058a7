// The typed client of the REST API.
export { ApiError } from './api-error.ts';
export { Client, createClient } from './client.ts';
export type { ClientOptions } from './http.ts';
export type {
  AcceptedRun,
  Attempt,
  Component,
  ComponentSummary,
  ConfigurableProp,
  Delivery,
  EventSummary,
  Health,
  NewSource,
  NewWebhook,
  Page,
  Run,
  Source,
  Subscription,
  User,
  Webhook,
} from './records.ts';
export type {
  ComponentsRequest,
  DeliveriesRequest,
  DeployRequest,
  EventsRequest,
  EventStreamRequest,
  IgnoringHooks,
  NewWebhookRequest,
  Paging,
  Repeatable,
  DeleteEventsRequest,
  RunNowRequest,
  SaveRequest,
  StreamRequest,
  SubscriptionRequest,
  UpdateRequest,
} from './requests.ts';
export type { StreamMessage } from './streams/stream-messages.ts';
