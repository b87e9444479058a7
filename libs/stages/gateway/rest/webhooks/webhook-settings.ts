// Reads the settings of a webhook from a request.
import type { WebhookChanges, WebhookSettings } from '../../../../domain/listener/messages.ts';
import type { Signature } from './signatures.ts';
import type { CreateWebhookDto, UpdateWebhookDto } from './webhooks.dto.ts';

export const newSettings = (input: CreateWebhookDto): WebhookSettings => ({
  url: input.url,
  name: input.name ?? null,
  description: input.description ?? null,
  ordered: input.ordered ?? true,
  retrySchedule: input.retry_schedule ?? null,
  ...(isGiven(input.timeout_ms) ? { timeoutMs: input.timeout_ms } : {}),
  ...(input.on_exhausted === 'block' ? { onExhausted: 'block' } : {}),
  ...(isGiven(input.order_key) ? { orderKey: input.order_key } : {}),
  ...(isGiven(input.max_in_flight) ? { maxInFlight: input.max_in_flight } : {}),
  ...(isGiven(input.rate_limit) ? { rateLimit: input.rate_limit } : {}),
});

const isGiven = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

/** Only the settings in the request. Null restores the default; for `active`, which has none, it counts as absent. */
export const changesOf = (input: UpdateWebhookDto): WebhookChanges => ({
  ...(input.url === undefined ? {} : { url: input.url }),
  ...(input.name === undefined ? {} : { name: input.name }),
  ...(input.description === undefined ? {} : { description: input.description }),
  ...(input.ordered === undefined ? {} : { ordered: input.ordered ?? true }),
  ...(input.retry_schedule === undefined ? {} : { retrySchedule: input.retry_schedule }),
  ...(input.timeout_ms === undefined ? {} : { timeoutMs: input.timeout_ms }),
  ...(input.on_exhausted === undefined ? {} : { onExhausted: input.on_exhausted === 'block' ? 'block' : null }),
  ...(input.order_key === undefined ? {} : { orderKey: input.order_key }),
  ...(input.max_in_flight === undefined ? {} : { maxInFlight: input.max_in_flight }),
  ...(input.rate_limit === undefined ? {} : { rateLimit: input.rate_limit }),
  ...(isGiven(input.active) ? { active: input.active } : {}),
});

/** Undefined: the signature stays unchanged. */
export const requestedSignature = ({ signature }: UpdateWebhookDto): Signature | undefined =>
  signature === undefined ? undefined : (signature ?? 'hmac-sha256');
