// What the API answers with, as its typed client names it.
export type {
  Component,
  EventSummary,
  Health,
  KeyedWebhook,
  NewSource,
  Page,
  Position,
  Preview,
  Run,
  Source,
  Subscription,
  SubscriptionDetail,
  Webhook,
} from '../../../libs/client/records.ts';
export type { Delivery, Replay, ReplayCount, Stats } from '../../../libs/client/delivery-records.ts';
export type { ConfigurableProp } from '../../../libs/client/forms/configurable-prop.ts';
