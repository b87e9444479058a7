// Types of attempts, deliveries, replays and counts over time in API responses: names as on the wire.

export interface Attempt {
  readonly attempt: number;
  readonly outcome: 'delivered' | 'failed';
  readonly status: number | null;
  readonly failure: string | null;
  readonly message: string | null;
  readonly answer: string | null;
  readonly started_at_ms: number;
  readonly duration_ms: number;
  readonly replay_id: string | null;
  /** `address:port` that was dialled. */
  readonly address: string | null;
  /** Null: the connection was open already. */
  readonly dns_ms: number | null;
  readonly connect_ms: number | null;
  readonly tls_ms: number | null;
  readonly first_byte_ms: number | null;
  readonly total_ms: number;
  /** Only of a failed attempt; the webhook's own headers are `[secret]`. */
  readonly request_headers: Readonly<Record<string, string>> | null;
  readonly answer_headers: Readonly<Record<string, string | readonly string[]>> | null;
}

export interface Replay {
  readonly id: string;
  readonly subscription_id: string;
  readonly emitter_id: string;
  readonly only: 'all' | 'failed' | 'parked';
  readonly rate: number | null;
  readonly state: 'pending' | 'running' | 'done' | 'cancelled';
  readonly reason: string | null;
  readonly total: number | null;
  readonly done: number;
  readonly failed: number;
  /** Events that were deleted, have expired, or were dropped by the transform. */
  readonly passed: number;
  /** Those among `left` whose last attempt failed. */
  readonly retrying: number;
  readonly left: number | null;
  readonly requested_at_ms: number;
  readonly ended_at_ms: number | null;
}

/** What a replay would send; `first` and `last` are event ids. */
export interface ReplayCount {
  readonly count: number;
  readonly first: string | null;
  readonly last: string | null;
}

export interface Delivery {
  /** The `webhook-id` header. */
  readonly id: string;
  readonly subscription_id: string;
  readonly webhook_id: string;
  readonly emitter_id: string;
  readonly event_id: string;
  readonly event_name: string;
  readonly state: 'delivered' | 'failing' | 'parked' | 'discarded';
  readonly parked_reason: string | null;
  readonly attempt_count: number;
  readonly next_attempt_at_ms: number | null;
  readonly updated_at_ms: number;
  readonly attempts: readonly Attempt[];
}

/** Attempts of deliveries that ended in a minute or an hour, which begins at `ts` (epoch ms). */
export interface AttemptStats {
  readonly ts: number;
  readonly attempts: number;
  readonly failed_attempts: number;
  readonly parked: number;
  /** Null: there were no attempts. */
  readonly mean_attempt_ms: number | null;
  readonly slowest_attempt_ms: number | null;
  /** How many of these attempts were the first ones of their events, without those of replays. */
  readonly first_attempts: number;
  /** Mean time from the emission of events to their first attempts. */
  readonly mean_lag_ms: number | null;
  readonly longest_lag_ms: number | null;
}

/** Counts of a minute or an hour of a workspace. */
export interface Stats extends AttemptStats {
  readonly events: number;
  readonly runs: number;
  readonly failed_runs: number;
}

export interface Filtered {
  /** Beginning of the hour, epoch ms. */
  readonly ts: number;
  readonly count: number;
}
