// A sample of each record about webhooks, for the specs that spoil them field by field.
import type { WebhookDefinition } from '../definition/messages.ts';
import type { ListenerCommand, ListenerEvent } from '../messages.ts';

type Samples<M extends { readonly type: string; readonly data: unknown }> = {
  readonly [Type in Extract<M['type'], `${string}Webhook${string}`>]: Extract<M, { readonly type: Type }>['data'];
};

const sealed = { $sealed: 'AAAA' };
const webhookId = 'wh_1';
const refused = { webhookId, reason: 'repeated', message: 'm', existingId: 'x' } as const;
const settings = {
  url: 'https://example.com/',
  name: 'n',
  description: null,
  ordered: true,
  retrySchedule: [1, 2],
  timeoutMs: 1_000,
  headers: [{ name: 'n', value: sealed }],
  onExhausted: 'block' as const,
  orderKey: '/id',
  maxInFlight: 1,
  rateLimit: 1,
} as const;
const webhook = {
  ...settings,
  webhookId,
  userId: 'u_1',
  signingKey: sealed,
  publicKey: 'p',
  fingerprint: 'f',
  requestKey: 'k',
};
const changes = { webhookId, ...settings, active: true, newKey: { signingKey: sealed, publicKey: 'p' } };
const regenerated = { webhookId, fingerprint: 'f', requestKey: 'k', signingKey: sealed, publicKey: 'p', overlapMs: 1 };
const madeBy = { key: 'k', fingerprint: 'f', answeredAt: 1 };

export const webhookCommands: Samples<ListenerCommand> = {
  CreateWebhook: webhook,
  DeleteWebhook: { webhookId },
  UpdateWebhook: changes,
  RegenerateWebhookKey: regenerated,
  DisableWebhook: { webhookId, reason: 'gone', generation: 1 },
};

export const webhookEvents: Samples<ListenerEvent> = {
  WebhookCreated: webhook,
  WebhookCreateRefused: refused,
  WebhookDeleted: { webhookId, createdAt: 1 },
  WebhookDeleteRefused: refused,
  WebhookUpdated: changes,
  WebhookUpdateRefused: refused,
  WebhookKeyRegenerated: regenerated,
  WebhookKeyRegenerateRefused: refused,
  WebhookDisabled: { webhookId, reason: 'gone' },
  WebhookDisableRefused: refused,
};

export const webhookDefinition: Omit<WebhookDefinition['data'], 'createdAt' | 'madeBy'> = {
  ...settings,
  webhookId,
  userId: 'u_1',
  signingKey: sealed,
  disabled: false,
  pausedAt: 1,
  generation: 1,
  publicKey: 'p',
  keyMadeBy: madeBy,
  formerKeys: [{ key: sealed, validUntil: 1, madeBy }],
};
