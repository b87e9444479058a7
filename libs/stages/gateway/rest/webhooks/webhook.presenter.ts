// A webhook as the API shows it (docs/reference/component-api.md, "Webhooks as records").
import type { WebhookView } from '../../../../domain/views/index.ts';
import { epochSeconds } from '../seconds.ts';
import type { WebhookRecord } from './webhook-record.dto.ts';

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
