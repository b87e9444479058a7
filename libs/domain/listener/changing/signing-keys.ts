// Decides a request for a new signing key of a webhook.
import { findEarlierRequest, conflictMessage } from '../../definition/recorded-requests.ts';
import type { Decided, Millis } from '../../message.ts';
import { findWebhook } from '../listeners.ts';
import type { Listeners } from '../listeners.ts';
import type { ListenerCommand, ListenerEvent } from '../messages.ts';
import { signatureChanged, webhookNotFound } from '../refusal.ts';
import type { Refusal } from '../refusal.ts';
import { isKeyPair } from '../webhook/key-renewal.ts';

type Regenerate = Extract<ListenerCommand, { type: 'RegenerateWebhookKey' }>;

export function regenerateKey(
  state: Listeners,
  { data, workspace }: Pick<Regenerate, 'data' | 'workspace'>,
  at: Millis,
): Decided<ListenerEvent> {
  const refusal = refusalOf(state, { data, workspace }, at);
  if (refusal === undefined) return { type: 'WebhookKeyRegenerated', data };
  return { type: 'WebhookKeyRegenerateRefused', data: { webhookId: data.webhookId, ...refusal } };
}

function refusalOf(
  state: Listeners,
  { data, workspace }: Pick<Regenerate, 'data' | 'workspace'>,
  at: Millis,
): Refusal | undefined {
  const { webhookId, publicKey } = data;
  const webhook = findWebhook(state, webhookId, workspace);
  if (webhook === undefined) return { reason: 'webhook_not_found', message: webhookNotFound(webhookId) };
  const earlier = findEarlierRequest(state.requests, { workspace, id: webhookId, at, request: data });
  if (earlier === 'conflict') return { reason: 'idempotency_conflict', message: conflictMessage };
  if (earlier !== undefined) {
    const message = 'The same request has made a signing key before.';
    return { reason: 'repeated', message, existingId: webhookId };
  }
  if (isKeyPair(webhook) === (publicKey !== undefined)) return undefined;
  return { reason: 'webhook_changed', message: signatureChanged(webhookId) };
}
