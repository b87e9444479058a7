// The policy of a webhook as a form holds it, and what of it the service is sent.
import type { Webhook } from '../api/records.ts';

export interface Policy {
  readonly url: string;
  readonly name: string;
  readonly description: string;
  readonly ordered: boolean;
  /** A JSON pointer; empty: in order for each source. */
  readonly orderKey: string;
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
  description: '',
  ordered: true,
  orderKey: '',
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
  description: text(webhook.description),
  ordered: webhook.ordered,
  orderKey: text(webhook.order_key),
  signature: webhook.signature,
  retries: webhook.retry_schedule?.join(', ') ?? '',
  timeoutMs: String(webhook.timeout_ms),
  onExhausted: webhook.on_exhausted,
  rateLimit: text(webhook.rate_limit),
  maxInFlight: text(webhook.max_in_flight),
});

const orNull = (value: string): number | null => (value.trim() === '' ? null : Number(value));

const textOrNull = (value: string): string | null => (value.trim() === '' ? null : value.trim());

/** A comma at the end is followed by nothing: it is no retry at once. */
function scheduleIn(retries: string): readonly number[] | null {
  const seconds = retries.split(',').filter((item) => item.trim() !== '');
  return seconds.length === 0 ? null : seconds.map(Number);
}

/** Every field: null is the default of the service. What is no number goes as it is, and is refused by its name. */
export const requestOf = (policy: Policy): Readonly<Record<string, unknown>> => ({
  url: policy.url.trim(),
  name: textOrNull(policy.name),
  description: textOrNull(policy.description),
  ordered: policy.ordered,
  order_key: policy.ordered ? textOrNull(policy.orderKey) : null,
  signature: policy.signature,
  retry_schedule: scheduleIn(policy.retries),
  timeout_ms: orNull(policy.timeoutMs),
  on_exhausted: policy.onExhausted,
  rate_limit: orNull(policy.rateLimit),
  max_in_flight: orNull(policy.maxInFlight),
});

/** Only what is not stored so: what others have changed meanwhile stays. */
export function changesOf(stored: Policy, policy: Policy): Readonly<Record<string, unknown>> {
  const before = requestOf(stored);
  const asked = Object.entries(requestOf(policy));
  return Object.fromEntries(asked.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
}
