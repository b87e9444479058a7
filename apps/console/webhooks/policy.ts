// The policy of a webhook as a form holds it, and what of it the service is sent.
import type { Webhook } from '../api/records.ts';

export interface Policy {
  readonly url: string;
  readonly name: string;
  readonly ordered: boolean;
  readonly signature: 'hmac-sha256' | 'ed25519';
  /** Seconds before each retry, separated by commas; empty: the usual ones. */
  readonly retries: string;
  readonly timeoutMs: string;
  readonly onExhausted: 'park' | 'block';
  /** Empty: no limit. */
  readonly rateLimit: string;
  readonly maxInFlight: string;
}

export const firstPolicy: Policy = {
  url: '',
  name: '',
  ordered: true,
  signature: 'hmac-sha256',
  retries: '',
  timeoutMs: '15000',
  onExhausted: 'park',
  rateLimit: '',
  maxInFlight: '',
};

const text = (value: number | string | null): string => (value === null ? '' : String(value));

export const policyOf = (webhook: Webhook): Policy => ({
  url: webhook.url,
  name: text(webhook.name),
  ordered: webhook.ordered,
  signature: webhook.signature,
  retries: webhook.retry_schedule?.join(', ') ?? '',
  timeoutMs: String(webhook.timeout_ms),
  onExhausted: webhook.on_exhausted,
  rateLimit: text(webhook.rate_limit),
  maxInFlight: text(webhook.max_in_flight),
});

const orNull = (value: string): number | null => (value.trim() === '' ? null : Number(value));

/** Every field: null is the default of the service. What is no number goes as it is, and is refused by its name. */
export const requestOf = (policy: Policy): Readonly<Record<string, unknown>> => ({
  url: policy.url.trim(),
  name: policy.name.trim() === '' ? null : policy.name.trim(),
  ordered: policy.ordered,
  signature: policy.signature,
  retry_schedule: policy.retries.trim() === '' ? null : policy.retries.split(',').map(Number),
  timeout_ms: orNull(policy.timeoutMs),
  on_exhausted: policy.onExhausted,
  rate_limit: orNull(policy.rateLimit),
  max_in_flight: orNull(policy.maxInFlight),
});
