// Types of the requests that the API accepts (docs/api.md).
import type { Filter } from './records.ts';

export interface Paging {
  /** 1 to 100; 10 by default. */
  readonly limit?: number;
  /** `end_cursor` of the previous page. */
  readonly after?: string;
  /** `start_cursor` of the next page. */
  readonly before?: string;
}

export interface Search extends Paging {
  /** A part of the name, id or URL, in upper or lower case. */
  readonly q?: string;
}

/** At most one of `name` and `name_slug`. */
export interface SourcesRequest extends Search {
  /** Exact. */
  readonly name?: string;
  /** Exact: one source at most. */
  readonly name_slug?: string;
}

/** At most one of `name` and `url`. */
export interface WebhooksRequest extends Search {
  /** Exact. */
  readonly name?: string;
  /** Exact. */
  readonly url?: string;
}

export interface NewWebhookRequest {
  readonly url: string;
  readonly name?: string;
  readonly description?: string;
  readonly ordered?: boolean;
  /** Seconds before each retry. */
  readonly retry_schedule?: readonly number[];
  readonly timeout_ms?: number;
  readonly signature?: 'hmac-sha256' | 'ed25519';
  readonly on_exhausted?: 'park' | 'block';
  /** With `ordered`: a JSON pointer; only events in which it finds the same value wait for each other. */
  readonly order_key?: string;
  readonly max_in_flight?: number;
  readonly rate_limit?: number;
  /** Sent with each attempt; at most 20. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface NewSigningKeyRequest {
  /** How long the former keys also sign; a day if absent. */
  readonly overlap_seconds?: number;
}

/** Absent fields do not change; null restores the default. */
export interface WebhookUpdateRequest {
  readonly url?: string;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly ordered?: boolean | null;
  readonly retry_schedule?: readonly number[] | null;
  readonly timeout_ms?: number | null;
  readonly signature?: 'hmac-sha256' | 'ed25519' | null;
  readonly on_exhausted?: 'park' | 'block' | null;
  readonly order_key?: string | null;
  readonly max_in_flight?: number | null;
  readonly rate_limit?: number | null;
  /** Replaces all headers; `[secret]` keeps a value. */
  readonly headers?: Readonly<Record<string, string>> | null;
  readonly active?: boolean;
}

export interface SubscriptionRequest {
  /** `dc_...`; every source: `dc_*`, `o_...` of the workspace, or `u_...` of the user. */
  readonly emitter_id: string;
  readonly listener_id: string;
  readonly event_name?: string;
}

export interface PositionsRequest extends Paging {
  /** Only the position with this source. */
  readonly emitter_id?: string;
}

/** A position in the events of a source; `time`: epoch milliseconds. */
export type StartPosition = 'earliest' | 'now' | { readonly event_id: string } | { readonly time: number };

/** `sequence`: the event's number for this subscription and source. */
export type ReplayPosition = StartPosition | { readonly sequence: number };

export interface ReplayRequest {
  /** Absent: the oldest event that is kept. */
  readonly from?: ReplayPosition;
  /** Inclusive; absent: the newest event. */
  readonly to?: ReplayPosition;
  readonly only?: 'all' | 'failed' | 'parked';
  /** The most events per second. */
  readonly rate?: number;
  /** The source, for a subscription to every source; absent: every source. */
  readonly emitter_id?: string;
}

export interface NewSubscriptionRequest extends SubscriptionRequest {
  readonly filter?: Filter;
  /** A JavaScript function `(event, metadata) => ({ body, headers })` or null. */
  readonly transform?: string;
  /** The first event to deliver; absent: the next one. */
  readonly start?: StartPosition;
}

export interface PreviewRequest {
  readonly event_id?: string;
  /** The source of `event_id`; needed for a subscription to every source. */
  readonly emitter_id?: string;
  readonly event?: unknown;
  /** Instead of the subscription's own; null: without a filter. */
  readonly filter?: Filter | null;
  /** Instead of the subscription's own; null: without a transform. */
  readonly transform?: string | null;
}

/** Absent fields do not change; null removes the filter or the transform. */
export interface SubscriptionUpdateRequest {
  readonly filter?: Filter | null;
  readonly transform?: string | null;
}

/** A component of several files, instead of `component_code`. */
export interface FilesRequest {
  /** Texts by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** The path of the component's file; not needed for a single file. */
  readonly entry?: string;
}

/** The code of a component: exactly one of `component_code`, `component_url` and `files`. */
export interface SaveRequest extends FilesRequest {
  /** If true, the component's key refers to this version from now on. */
  readonly publish?: boolean;
  readonly component_code?: string;
  readonly component_url?: string;
}

export interface ComponentSearchRequest {
  readonly app: string;
  /** Words to search for. */
  readonly query?: string;
  /** The most sources, and the most actions; 100 by default. */
  readonly limit?: number;
}

export interface ComponentsRequest extends Paging {
  readonly published?: boolean;
  /** Only the versions of the component with this key. */
  readonly key?: string;
}

/** The settings of a source's runs. */
export interface SettingsRequest {
  readonly timeout_ms?: number;
  readonly memory_mb?: number;
  readonly rate_limit?: number;
  readonly concurrency?: number;
  readonly emit_on_deploy?: boolean;
}

/**
 * The code, unless it is a channel: exactly one of `key`, `component_code`, `component_id`, `component_url`, `files`.
 */
export interface DeployRequest extends SettingsRequest, FilesRequest {
  /** The key of a component that is published in the workspace, or otherwise in the npm registry. */
  readonly key?: string;
  readonly component_code?: string;
  /** Id or key of a saved component. */
  readonly component_id?: string;
  readonly component_url?: string;
  /** `channel`: without code; needs only a name. */
  readonly kind?: 'component' | 'channel';
  readonly name?: string;
  readonly configured_props?: Readonly<Record<string, unknown>>;
}

export interface HookErrorOptions {
  /** With true, the request is carried out even if the hook `deactivate` throws. */
  readonly ignore_hook_errors?: boolean;
}

/** Absent fields do not change. */
export interface UpdateRequest extends HookErrorOptions, SettingsRequest, FilesRequest {
  readonly key?: string;
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

/** Where a stream begins, and how the client ends it. */
export interface StreamRequest {
  /** The id of the record after which the stream begins. Absent: it begins at the time of the request. */
  readonly after?: string;
  readonly signal?: AbortSignal;
  /** Called when the service has opened the stream, before the first record. */
  readonly onOpen?: () => void;
}

export interface EventStreamRequest extends StreamRequest {
  /** Absent: every channel except those that begin with `$`. */
  readonly event_name?: string;
}

export interface RunsRequest extends Paging {
  readonly kind?: string;
  readonly outcome?: 'succeeded' | 'failed' | 'refused';
  /** Only runs that began in this time, epoch ms: the start is inclusive, the end exclusive. */
  readonly from?: number;
  readonly to?: number;
}

/** The subscriptions to one source, those of one listener, or all. */
export interface SubscriptionsRequest extends Paging {
  readonly emitter_id?: string;
  /** Not together with `emitter_id`. */
  readonly listener_id?: string;
}

export interface SubscriptionDeliveriesRequest extends Paging {
  readonly state?: 'delivered' | 'failing' | 'parked' | 'discarded';
}

/** The deliveries that meet every condition. */
export interface DeliveriesRequest extends SubscriptionDeliveriesRequest {
  readonly subscription_id?: string;
  /** The listener: a webhook, or a source that listens. */
  readonly webhook_id?: string;
  /** The source that emitted the events. */
  readonly source_id?: string;
  readonly event_id?: string;
  /** HTTP status of the last attempt; 0: the receiver did not answer. */
  readonly status?: number;
  /** Only of events in this time, epoch ms: the start is inclusive, the end exclusive. */
  readonly from?: number;
  readonly to?: number;
}

/** With a key the request is idempotent: a repeated request creates nothing twice. */
export interface Repeatable {
  readonly idempotencyKey?: string;
}

/** Both ends are inclusive; absent: from the oldest, or up to the newest. */
export interface DeleteEventsRequest {
  readonly start_id?: string;
  readonly end_id?: string;
  /** Absent: every channel except those that begin with `$`. */
  readonly event_name?: string;
}

export interface PublishedEvent {
  readonly event: unknown;
  /** An id that is among the last 10,000 of the source makes the event a duplicate. */
  readonly id?: string | number;
  /** The channel. */
  readonly name?: string;
  readonly summary?: string;
  /** Epoch ms. */
  readonly ts?: number;
}

export interface RunNowRequest {
  readonly event?: unknown;
}

/** Epoch ms; by default the last steps up to now. */
export interface Span {
  readonly from?: number;
  readonly to?: number;
}

export interface StatsRequest extends Span {
  readonly step?: 'minute' | 'hour';
}
