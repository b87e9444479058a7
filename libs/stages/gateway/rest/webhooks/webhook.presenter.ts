// A webhook as the API shows it (docs/reference/component-api.md, "Webhooks as records").
import { timeoutBounds } from '../../../../domain/listener/webhook/settings.ts';
import type { ViewValue } from '../../../../domain/views/view.ts';
import type { WebhookView } from '../../../../domain/views/index.ts';
import type { Parts } from '../../parts/parts.ts';
import { epochSeconds } from '../epoch-seconds.ts';
import { placeholderHeaders } from './fixed-headers.ts';
import { signatureOf } from './signatures.ts';
import type { NewWebhookRecord, WebhookRecord } from './webhook-record.dto.ts';

export const presentWebhook = ({ failingSince }: Parts<'failingSince'>, webhook: WebhookView): WebhookRecord => ({
  id: webhook.webhookId,
  user_id: webhook.userId,
  name: webhook.name || null,
  description: webhook.description,
  url: webhook.url,
  active: webhook.active,
  paused_at: webhook.pausedAt === undefined ? null : epochSeconds(webhook.pausedAt),
  disabled_reason: webhook.disabled,
  failing_since_ms: webhook.active ? failingSince(webhook.webhookId) : null,
  ordered: webhook.ordered,
  retry_schedule: webhook.retrySchedule,
  timeout_ms: webhook.timeoutMs ?? timeoutBounds.default,
  on_exhausted: webhook.onExhausted ?? 'park',
  order_key: webhook.orderKey ?? null,
  max_in_flight: webhook.maxInFlight ?? null,
  rate_limit: webhook.rateLimit ?? null,
  headers: placeholderHeaders(webhook),
  signature: signatureOf(webhook),
  public_key: webhook.publicKey ?? null,
  created_at: epochSeconds(webhook.createdAt),
  updated_at: epochSeconds(webhook.updatedAt),
});

/** `signingKey`: undefined if the answer shows none. */
export const presentWithKey = (
  parts: Parts<'failingSince'>,
  webhook: WebhookView,
  signingKey: string | undefined,
): NewWebhookRecord => ({
  ...presentWebhook(parts, webhook),
  ...(signingKey === undefined ? {} : { signing_key: signingKey }),
});

/** The texts that are searched. */
export const textsOfWebhook = (value: ViewValue): readonly (string | null)[] => {
  const { webhookId, name, url } = value as WebhookView;
  return [webhookId, name, url];
};
