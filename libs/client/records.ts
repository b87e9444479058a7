// Types of the records that the API returns (docs/api.md).
import type { ConfigurableProp } from './configurable-prop.ts';

export interface Page<T> {
  readonly page_info: {
    readonly total_count: number;
    readonly count: number;
    readonly start_cursor: string | null;
    readonly end_cursor: string | null;
    /** Of a search whose page ends before it is full: the time of the last record that was searched, epoch ms. */
    readonly searched_to_ms?: number;
    /** The page ended before its limit, because its records are large. */
    readonly has_more?: true;
  };
  readonly data: readonly T[];
}

export interface User {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly orgs: readonly {
    readonly id: string;
    readonly name: string;
    readonly orgname: string;
    readonly email: string;
  }[];
}

/** `created_at` and `updated_at` are epoch seconds. */
export interface Webhook {
  readonly id: string;
  readonly user_id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly url: string;
  /** False: nothing is sent, because it is paused or was disabled. */
  readonly active: boolean;
  readonly paused_at: number | null;
  /** `gone`: its receiver answered 410. */
  readonly disabled_reason: string | null;
  /** Since when all attempts have failed; null: for less than an hour, or they succeed. */
  readonly failing_since_ms: number | null;
  readonly ordered: boolean;
  readonly retry_schedule: readonly number[] | null;
  readonly timeout_ms: number;
  /** What happens to an event after its last retry, with `ordered`. */
  readonly on_exhausted: 'park' | 'block';
  /** With `ordered`: a JSON pointer; null: all events of a source are in one order. */
  readonly order_key: string | null;
  readonly max_in_flight: number | null;
  readonly rate_limit: number | null;
  /** Sent with each attempt; each value is shown as `[secret]`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signature: 'hmac-sha256' | 'ed25519';
  /** `whpk_<base64>`; null: signed by HMAC. */
  readonly public_key: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface NewWebhook extends Webhook {
  /** `whsec_<base64>`: shown only in this response. */
  readonly signing_key: string;
}

/** `signing_key`: a new one for HMAC, shown only in this response. */
export type WebhookWithKey = Webhook & Partial<NewWebhook>;

/** A pattern in the form of Amazon EventBridge's (docs/api.md, "Filters of subscriptions"). */
export interface Filter {
  readonly [field: string]: unknown;
}

export interface Preview {
  readonly matches: boolean;
  /** The first field that does not match the filter. */
  readonly reason: string | null;
  /** The result of the transform. */
  readonly transformed: { readonly body: unknown; readonly headers: Readonly<Record<string, string>> } | null;
  readonly error: { readonly message: string; readonly line: number | null; readonly column: number | null } | null;
}

export interface Subscription {
  readonly id: string;
  readonly emitter_id: string;
  readonly listener_id: string;
  /** '': every channel except those that begin with `$`. */
  readonly event_name: string;
  /** Null: all these events match. */
  readonly filter: Filter | null;
  /** Null: they are sent unchanged. */
  readonly transform: string | null;
  readonly created_at: number;
}

/** `published` is the sum of the others. */
export interface Counters {
  readonly published: number;
  readonly delivered: number;
  readonly parked: number;
  readonly filtered: number;
  readonly expired: number;
  readonly pending: number;
}

/** The position of a subscription in the events of one source. */
export interface Position {
  readonly emitter_id: string;
  /** `blocked`: the next event waits for a retry. */
  readonly state: 'active' | 'blocked';
  /** The highest number that an event has. */
  readonly sequence: number;
  readonly event_id: string | null;
  readonly event_at_ms: number | null;
  /** Events after the position, counted up to 10,000 (`capped`). Null: not known. */
  readonly lag: { readonly events: number; readonly capped: boolean; readonly seconds: number } | null;
  readonly counters: Counters;
  readonly last_error: {
    readonly event_id: string;
    readonly status: number | null;
    readonly failure: string | null;
    readonly at_ms: number;
  } | null;
  readonly next_attempt_at_ms: number | null;
  readonly updated_at_ms: number;
}

export interface SubscriptionDetail extends Subscription {
  readonly state: 'active' | 'blocked' | 'paused' | 'disabled';
  /** The sum of all positions. */
  readonly counters: Counters;
  /** The first 100 by the source's id; `positions` lists all. */
  readonly positions: readonly Position[];
}

export interface ConfiguredProps {
  /** For a component whose HTTP interface is named `http`. */
  readonly http: { readonly endpoint_url: string };
  readonly [name: string]: unknown;
}

/** The component's own declarations. */
export interface ComponentSummary {
  readonly id: string;
  readonly user_id: string;
  readonly key: string | null;
  readonly name: string;
  readonly version: string;
  readonly description: string | null;
  /** Whether its key refers to this version. */
  readonly published: boolean;
  readonly code_hash: string;
  readonly configurable_props: readonly ConfigurableProp[];
  readonly created_at: number;
  readonly updated_at: number;
}

export interface Component extends ComponentSummary {
  /** The text of the entry file. */
  readonly code: string;
  readonly entry: string | null;
  /** The texts of all files by path; null: `code` is the only one. */
  readonly files: Readonly<Record<string, string>> | null;
}

export interface SourceCode extends Pick<Component, 'code_hash' | 'code' | 'entry' | 'files'> {
  /** The id of the source. */
  readonly id: string;
  /** The id that a saved component with this code has or would have. */
  readonly component_id: string;
}

export interface Source {
  readonly id: string;
  readonly user_id: string;
  readonly owner_id: string;
  readonly kind: 'component' | 'channel';
  /** Null: the source is a channel. */
  readonly component_id: string | null;
  readonly component_key: string | null;
  readonly version: string | null;
  readonly code_hash: string | null;
  readonly configured_props: ConfiguredProps;
  readonly configurable_props: readonly ConfigurableProp[];
  /** Null: it is not known. */
  readonly has_sample: boolean | null;
  readonly active: boolean;
  readonly state: 'deploying' | 'active' | 'inactive' | 'updating' | 'refused' | 'deleting';
  readonly name: string | null;
  readonly name_slug: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly timeout_ms: number;
  readonly memory_mb: number;
  readonly rate_limit: number | null;
  readonly concurrency: number;
  readonly emit_on_deploy: boolean;
  /** Null: the source has no timer, is inactive, or the time is not known yet. */
  readonly next_run_at_ms: number | null;
  /** Null: no run of the source is kept. */
  readonly last_run_at_ms: number | null;
  /** The time of its newest event on a channel that does not begin with `$`. */
  readonly last_event_at_ms: number | null;
  /** The error of its last failed run or hook. */
  readonly last_error: {
    readonly name: string;
    readonly message: string;
    readonly run_id: string;
    readonly at_ms: number;
  } | null;
  readonly refusal?: { readonly code: string; readonly error: string };
}

export interface NewSource extends Source {
  /** The hooks' console output. */
  readonly observations: readonly { readonly k: string; readonly ts: number; readonly msg: string }[];
}

export interface EventSummary {
  readonly id: string;
  readonly indexed_at_ms: number;
  readonly event: unknown;
  readonly truncated?: true;
  readonly metadata: {
    readonly emitter_id: string;
    readonly emit_id: string;
    /** Null: it was published. */
    readonly run_id: string | null;
    /** Null: recorded by a version without traces. */
    readonly trace_id: string | null;
    readonly name: string;
    readonly id?: string | number;
    readonly summary?: string;
    readonly ts?: number;
    /** On `$in`: when it will become an event, in epoch ms. */
    readonly delivery_ts?: number;
    /** True for a sample, which was requested. */
    readonly sample?: true;
  };
}

export interface Published {
  /** The id of the event; of a duplicate, that of the event that was published before. */
  readonly id: string;
  readonly duplicate: boolean;
}

export interface Run {
  readonly id: string;
  readonly source_id: string;
  readonly kind: string;
  readonly outcome: 'succeeded' | 'failed' | 'refused';
  readonly started_at_ms: number;
  readonly duration_ms: number;
  readonly console: readonly { readonly level: string; readonly text: string; readonly at_ms: number }[];
  readonly error: {
    readonly name: string;
    readonly message: string;
    readonly stack?: string;
    readonly line?: number;
    readonly column?: number;
  } | null;
  readonly emitted: readonly string[];
  readonly deduped: number;
  readonly requests: readonly {
    readonly method: string;
    readonly host: string;
    readonly status: number | null;
    readonly duration_ms: number;
  }[];
  readonly request_count: number;
  /** Null: recorded by a version without traces. */
  readonly trace_id: string | null;
}

export interface AcceptedRun {
  readonly id: string;
}

/** `GET /health`: 200 while every stage's loop turns, otherwise 503. */
export interface Health {
  readonly status: string;
  readonly details?: Readonly<Record<string, { readonly status: string; readonly message?: string }>>;
  readonly alerts?: readonly {
    readonly code: string;
    readonly subject: string;
    readonly message: string;
    readonly since_ms: number;
  }[];
}
