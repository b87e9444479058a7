// Decides the commands to create, delete and disable a webhook.
import { findEarlierRequest, conflictMessage } from '../definition/recorded-requests.ts';
import type { Decided } from '../message.ts';
import type { ListenerContext } from './context.ts';
import { findWebhook } from './listeners.ts';
import type { Listeners } from './listeners.ts';
import type { ListenerCommand, ListenerEvent } from './messages.ts';
import { webhookChanged, webhookDisabled, webhookNotFound } from './refusal.ts';

type Command<Type extends string> = ListenerCommand & { readonly type: Type };

export function createWebhook(
  state: Listeners,
  command: Command<'CreateWebhook'>,
  { at }: ListenerContext,
): Decided<ListenerEvent> {
  const { webhookId } = command.data;
  const { workspace, data } = command;
  const earlier = findEarlierRequest(state.requests, { workspace, id: webhookId, at, request: data });
  if (earlier === 'conflict' || (earlier === undefined && state.webhooks.has(webhookId))) {
    const refused = { webhookId, reason: 'idempotency_conflict', message: conflictMessage } as const;
    return { type: 'WebhookCreateRefused', data: refused };
  }
  if (earlier === undefined) return { type: 'WebhookCreated', data };
  const message = `The same request has made webhook ${earlier.id} before.`;
  return { type: 'WebhookCreateRefused', data: { webhookId, reason: 'repeated', message, existingId: earlier.id } };
}

/** Deleting a webhook ends its subscriptions. */
export function deleteWebhook(
  state: Listeners,
  { data: { webhookId }, workspace }: Command<'DeleteWebhook'>,
): Decided<ListenerEvent> {
  const webhook = findWebhook(state, webhookId, workspace);
  if (webhook === undefined) {
    const data = { webhookId, reason: 'webhook_not_found', message: webhookNotFound(webhookId) } as const;
    return { type: 'WebhookDeleteRefused', data };
  }
  return { type: 'WebhookDeleted', data: { webhookId, createdAt: webhook.createdAt } };
}

export function disableWebhook(
  state: Listeners,
  { data: { webhookId, reason, generation = 0 }, workspace }: Command<'DisableWebhook'>,
): Decided<ListenerEvent> {
  const webhook = findWebhook(state, webhookId, workspace);
  if (webhook === undefined) {
    const message = webhookNotFound(webhookId);
    return { type: 'WebhookDisableRefused', data: { webhookId, reason: 'webhook_not_found', message } };
  }
  if (generation !== (webhook.generation ?? 0)) {
    const message = webhookChanged(webhookId);
    return { type: 'WebhookDisableRefused', data: { webhookId, reason: 'webhook_changed', message } };
  }
  if (webhook.disabled) {
    const message = webhookDisabled(webhookId);
    return { type: 'WebhookDisableRefused', data: { webhookId, reason: 'webhook_disabled', message } };
  }
  return { type: 'WebhookDisabled', data: { webhookId, reason } };
}
