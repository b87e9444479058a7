// Decides commands about webhooks and subscriptions: each yields one event, accepted or refused.
import type { Decided } from '../message.ts';
import type { ListenerContext } from './context.ts';
import type { Listeners } from './listeners.ts';
import type { ListenerCommand, ListenerEvent } from './messages.ts';
import { createSubscription, deleteSubscription, updateSubscription } from './subscription.ts';
import { createWebhook, deleteWebhook, disableWebhook } from './webhook.ts';
import { regenerateKey } from './changing/signing-keys.ts';
import { updateWebhook } from './changing/update.ts';

export function decideListener(
  state: Listeners,
  command: ListenerCommand,
  context: ListenerContext,
): readonly Decided<ListenerEvent>[] {
  switch (command.type) {
    case 'CreateWebhook':
      return [createWebhook(state, command, context)];
    case 'DeleteWebhook':
      return [deleteWebhook(state, command)];
    case 'UpdateWebhook':
      return [updateWebhook(state, command)];
    case 'RegenerateWebhookKey':
      return [regenerateKey(state, command, context.at)];
    case 'DisableWebhook':
      return [disableWebhook(state, command)];
    case 'CreateSubscription':
      return [createSubscription(state, command, context)];
    case 'UpdateSubscription':
      return [updateSubscription(state, command)];
    case 'DeleteSubscription':
      return [deleteSubscription(state, command)];
  }
}
