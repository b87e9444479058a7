// The adapter of the webhook port, for engines.
export { UndiciWebhook } from './undici/undici-webhook.ts';
