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
  Published,
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
  IgnoringHooks,
  NewWebhookRequest,
  Paging,
  PublishedEvent,
  Repeatable,
  DeleteEventsRequest,
  RunNowRequest,
  SaveRequest,
  SubscriptionRequest,
  UpdateRequest,
} from './requests.ts';
