// Decides a request for a new signing key of a webhook.
import { earlierThan, conflictMessage } from '../../definition/kept-requests.ts';
import type { Decided, Millis } from '../../message.ts';
import { standingWebhook } from '../listeners.ts';
import type { Listeners } from '../listeners.ts';
import type { ListenerCommand, ListenerEvent } from '../messages.ts';
import { otherSignature, webhookNotFound } from '../refusal.ts';
import type { Refusal } from '../refusal.ts';
import { isPair } from '../webhook/renewed.ts';

type Regenerate = Extract<ListenerCommand, { type: 'RegenerateWebhookKey' }>;

export function regenerateKey(
  state: Listeners,
  { data, workspace }: Pick<Regenerate, 'data' | 'workspace'>,
  at: Millis,
): Decided<ListenerEvent> {
  const refusal = refuse(state, { data, workspace }, at);
  if (refusal === undefined) return { type: 'WebhookKeyRegenerated', data };
  return { type: 'WebhookKeyRegenerateRefused', data: { webhookId: data.webhookId, ...refusal } };
}

function refuse(
  state: Listeners,
  { data, workspace }: Pick<Regenerate, 'data' | 'workspace'>,
  at: Millis,
): Refusal | undefined {
  const { webhookId, publicKey } = data;
  const webhook = standingWebhook(state, webhookId, workspace);
  if (webhook === undefined) return { reason: 'webhook_not_found', message: webhookNotFound(webhookId) };
  const first = earlierThan(state.requests, { workspace, id: webhookId, at, request: data });
  if (first === 'conflict') return { reason: 'idempotency_conflict', message: conflictMessage };
  if (first !== undefined) {
    const message = 'The same request has made a signing key before.';
    return { reason: 'repeated', message, existingId: webhookId };
  }
  if (isPair(webhook) === (publicKey !== undefined)) return undefined;
  return { reason: 'webhook_changed', message: otherSignature(webhookId) };
}
