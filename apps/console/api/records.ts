// The API's records, as its typed client names them.
export type {
  Component,
  ComponentSummary,
  EventSummary,
  Health,
  WebhookWithKey,
  NewSource,
  Page,
  Position,
  Preview,
  Run,
  Source,
  SourceCode,
  Subscription,
  SubscriptionDetail,
  Webhook,
} from '../../../libs/client/records.ts';
export type {
  Attempt,
  AttemptStats,
  Delivery,
  Replay,
  ReplayCount,
  Stats,
} from '../../../libs/client/delivery-records.ts';
export type { Account, App, CustomField } from '../../../libs/client/accounts/account-records.ts';
export type { ApiKey, NewApiKey } from '../../../libs/client/keys/api-key-records.ts';
export type { StoredData, StoredEntry } from '../../../libs/client/stores/data-store-records.ts';
export type { ConfigurableProp } from '../../../libs/client/configurable-prop.ts';
export type { PropOptions, PropsForValues } from '../../../libs/client/forms/form-records.ts';
export type { HistoryPage, HistoryRecord } from '../../../libs/client/history/history-records.ts';
