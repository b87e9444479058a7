// The requests that the API accepts (docs/api.md).
import type { Filter } from './records.ts';

export interface Paging {
  /** 1 to 100; 10 by default. */
  readonly limit?: number;
  /** `end_cursor` of the previous page. */
  readonly after?: string;
  /** `start_cursor` of the next page. */
  readonly before?: string;
}

export interface NewWebhookRequest {
  readonly url: string;
  readonly name?: string;
  readonly description?: string;
  readonly ordered?: boolean;
  /** Seconds before each retry. */
  readonly retry_schedule?: readonly number[];
}

export interface SubscriptionRequest {
  /** `dc_...`, or `dc_*`. */
  readonly emitter_id: string;
  readonly listener_id: string;
  readonly event_name?: string;
}

export interface NewSubscriptionRequest extends SubscriptionRequest {
  readonly filter?: Filter;
}

export interface PreviewRequest {
  readonly event_id?: string;
  /** Of that event, for a subscription to every source. */
  readonly emitter_id?: string;
  readonly event?: unknown;
  /** In place of the subscription's own; null: none. */
  readonly filter?: Filter | null;
}

/** One of the ways to say which code it is. */
export interface SaveRequest {
  readonly component_code?: string;
  readonly component_url?: string;
}

export interface ComponentsRequest extends Paging {
  /** Only the versions of the component with this key. */
  readonly key?: string;
}

/** How a source is run. */
export interface SettingsRequest {
  readonly timeout_ms?: number;
  readonly memory_mb?: number;
  readonly rate_limit?: number;
  readonly concurrency?: number;
}

/** One of the ways to say which code it is. */
export interface DeployRequest extends SettingsRequest {
  readonly component_code?: string;
  /** Id or key of a saved component. */
  readonly component_id?: string;
  readonly component_url?: string;
  readonly name?: string;
  readonly configured_props?: Readonly<Record<string, unknown>>;
}

export interface IgnoringHooks {
  /** A hook `deactivate` that throws does not stop it. */
  readonly ignore_hook_errors?: boolean;
}

/** Absent fields stay unchanged. */
export interface UpdateRequest extends IgnoringHooks, SettingsRequest {
  readonly component_code?: string;
  readonly component_id?: string;
  readonly component_url?: string;
  /** Null removes a value. */
  readonly configured_props?: Readonly<Record<string, unknown>>;
  readonly name?: string;
  readonly active?: boolean;
}

export interface EventsRequest extends Paging {
  readonly expand?: 'event';
  readonly event_name?: string;
}

export interface RunsRequest extends Paging {
  readonly kind?: string;
  readonly outcome?: 'succeeded' | 'failed' | 'refused';
  /** Only runs that began in this time, epoch ms: the start is inclusive, the end exclusive. */
  readonly from?: number;
  readonly to?: number;
}

export interface DeliveriesRequest extends Paging {
  readonly state?: 'delivered' | 'failing' | 'parked';
}

/** With a key the request is idempotent: repeating it creates nothing twice. */
export interface Repeatable {
  readonly idempotencyKey?: string;
}

/** Both ends are included; absent: from the oldest, or up to the newest. */
export interface DeleteEventsRequest {
  readonly start_id?: string;
  readonly end_id?: string;
  /** Absent: every channel but those that begin with `$`. */
  readonly event_name?: string;
}

export interface RunNowRequest {
  readonly event?: unknown;
}
