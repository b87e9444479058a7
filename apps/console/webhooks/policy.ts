// Converts the policy of a webhook between the form's fields and the request to the service.
import type { Webhook } from '../api/records.ts';

export interface Policy {
  readonly url: string;
  readonly name: string;
  readonly description: string;
  readonly ordered: boolean;
  /** A JSON pointer; empty: in order for each source. */
  readonly orderKey: string;
  readonly signature: 'hmac-sha256' | 'ed25519';
  /** Seconds before each retry, separated by commas; empty: the service's default. */
  readonly retries: string;
  readonly timeoutMs: string;
  readonly onExhausted: 'park' | 'block';
  /** Empty: no limit. */
  readonly rateLimit: string;
  readonly maxInFlight: string;
}

export const defaultPolicy: Policy = {
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

const numberOrNull = (value: string): number | null => (value.trim() === '' ? null : Number(value));

const textOrNull = (value: string): string | null => (value.trim() === '' ? null : value.trim());

/** Empty items are ignored, so that a comma at the end does not mean a retry after 0 s. */
function parseSchedule(retries: string): readonly number[] | null {
  const seconds = retries.split(',').filter((item) => item.trim() !== '');
  return seconds.length === 0 ? null : seconds.map(Number);
}

/** Has every field; null: the service's default. Text that is no number is sent unchanged: the service rejects it. */
export const requestOf = (policy: Policy): Readonly<Record<string, unknown>> => ({
  url: policy.url.trim(),
  name: textOrNull(policy.name),
  description: textOrNull(policy.description),
  ordered: policy.ordered,
  order_key: policy.ordered ? textOrNull(policy.orderKey) : null,
  signature: policy.signature,
  retry_schedule: parseSchedule(policy.retries),
  timeout_ms: numberOrNull(policy.timeoutMs),
  on_exhausted: policy.onExhausted,
  rate_limit: numberOrNull(policy.rateLimit),
  max_in_flight: numberOrNull(policy.maxInFlight),
});

/** Only the fields that differ from the stored ones, so that changes by others are kept. */
export function changesOf(stored: Policy, policy: Policy): Readonly<Record<string, unknown>> {
  const storedRequest = requestOf(stored);
  const fields = Object.entries(requestOf(policy));
  return Object.fromEntries(
    fields.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(storedRequest[name])),
  );
}
