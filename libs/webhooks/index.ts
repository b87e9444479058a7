// The webhook port and its adapter.
export { UndiciWebhook } from './undici/undici-webhook.ts';
export { Webhook, type WebhookOutcome, type WebhookRequest } from './webhook.ts';
