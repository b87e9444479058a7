// Decides an update of a webhook: changes apply at once, and absent fields keep their values.
import type { Decided } from '../../message.ts';
import { findWebhook } from '../listeners.ts';
import type { Listeners } from '../listeners.ts';
import type { ListenerCommand, ListenerEvent } from '../messages.ts';
import { webhookNotFound } from '../refusal.ts';
import { isKeyPair } from '../webhook/key-renewal.ts';
import type { SigningKeys } from '../webhook/key-renewal.ts';

type UpdateWebhook = Extract<ListenerCommand, { type: 'UpdateWebhook' }>;

export function updateWebhook(
  state: Listeners,
  { data, workspace }: Pick<UpdateWebhook, 'data' | 'workspace'>,
): Decided<ListenerEvent> {
  const { webhookId } = data;
  const webhook = findWebhook(state, webhookId, workspace);
  if (webhook !== undefined) return { type: 'WebhookUpdated', data: withNeededKey(data, webhook) };
  const refused = { webhookId, reason: 'webhook_not_found', message: webhookNotFound(webhookId) } as const;
  return { type: 'WebhookUpdateRefused', data: refused };
}

/** Drops the new key if the webhook's key is already of the requested kind. */
function withNeededKey({ newKey, ...data }: UpdateWebhook['data'], webhook: SigningKeys): UpdateWebhook['data'] {
  return newKey === undefined || isKeyPair(newKey) === isKeyPair(webhook) ? data : { ...data, newKey };
}
