// What the commands about one webhook lead to.
import type { Decided } from '../message.ts';
import { endSubscriptions } from './cascade.ts';
import type { ListenerContext } from './context.ts';
import { standingWebhook } from './listeners.ts';
import type { Listeners } from './listeners.ts';
import type { ListenerCommand, ListenerEvent } from './messages.ts';
import { conflictMessage, webhookDisabled, webhookNotFound } from './refusal.ts';
import { isRepeat } from './repeat.ts';

type Command<Type extends string> = ListenerCommand & { readonly type: Type };

export function createWebhook(
  state: Listeners,
  command: Command<'CreateWebhook'>,
  { at }: ListenerContext,
): Decided<ListenerEvent> {
  const { webhookId, fingerprint } = command.data;
  const first = state.webhooks.get(webhookId);
  if (first === undefined) return { type: 'WebhookCreated', data: command.data };
  if (isRepeat(first, { workspace: command.workspace, fingerprint }, at)) {
    const message = `The same request has made webhook ${webhookId} before.`;
    return { type: 'WebhookCreateRefused', data: { webhookId, reason: 'repeated', message, existingId: webhookId } };
  }
  return {
    type: 'WebhookCreateRefused',
    data: { webhookId, reason: 'idempotency_conflict', message: conflictMessage },
  };
}

/** The webhook's subscriptions end before it does, so that half of a long list on the log is finished by a repeat. */
export function deleteWebhook(
  state: Listeners,
  { data: { webhookId }, workspace }: Command<'DeleteWebhook'>,
): readonly Decided<ListenerEvent>[] {
  if (standingWebhook(state, webhookId, workspace) === undefined) {
    const data = { webhookId, reason: 'webhook_not_found', message: webhookNotFound(webhookId) } as const;
    return [{ type: 'WebhookDeleteRefused', data }];
  }
  const ended = endSubscriptions(state, state.byWebhook.get(webhookId));
  return [...ended, { type: 'WebhookDeleted', data: { webhookId } }];
}

export function disableWebhook(
  state: Listeners,
  { data: { webhookId, reason }, workspace }: Command<'DisableWebhook'>,
): Decided<ListenerEvent> {
  const webhook = standingWebhook(state, webhookId, workspace);
  if (webhook === undefined) {
    const message = webhookNotFound(webhookId);
    return { type: 'WebhookDisableRefused', data: { webhookId, reason: 'webhook_not_found', message } };
  }
  if (webhook.disabled) {
    const message = webhookDisabled(webhookId);
    return { type: 'WebhookDisableRefused', data: { webhookId, reason: 'webhook_disabled', message } };
  }
  return { type: 'WebhookDisabled', data: { webhookId, reason } };
}
