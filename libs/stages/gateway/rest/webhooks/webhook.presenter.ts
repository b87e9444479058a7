// A webhook as the API shows it (component-api.md 1.6).
import type { WebhookView } from '../../../../domain/views/index.ts';
import { epochSeconds } from '../seconds.ts';

export interface WebhookRecord {
  readonly id: string;
  readonly user_id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly url: string;
  /** False once the receiver has answered 410. */
  readonly active: boolean;
  readonly ordered: boolean;
  readonly retry_schedule: readonly number[] | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface NewWebhookRecord extends WebhookRecord {
  /** `whsec_<base64>`: in the answer to its creation only. */
  readonly signing_key?: string;
}

export const presentWebhook = (webhook: WebhookView): WebhookRecord => ({
  id: webhook.webhookId,
  user_id: webhook.userId,
  name: webhook.name,
  description: webhook.description,
  url: webhook.url,
  active: webhook.active,
  ordered: webhook.ordered,
  retry_schedule: webhook.retrySchedule,
  created_at: epochSeconds(webhook.createdAt),
  updated_at: epochSeconds(webhook.updatedAt),
});
