// What a record about webhooks and subscriptions must hold to be used.
import { filterShape } from '../delivery/filter/shapes.ts';
import { finite, flag, ident, list, natural, nullable, oneOf, optional, sealed, text } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { ListenerCommand, ListenerEvent } from './messages.ts';

export const webhookSettings = {
  url: text,
  name: nullable(text),
  description: nullable(text),
  ordered: flag,
  retrySchedule: nullable(list(finite)),
};
const triple = { emitterId: ident, listenerId: ident, eventName: nullable(text) };
const webhookId = { webhookId: ident };
const subscriptionId = { subscriptionId: ident };
const repeatable = { fingerprint: nullable(text), requestKey: optional(ident) };
const gone = oneOf('gone');

const refused = {
  reason: oneOf(
    'repeated',
    'idempotency_conflict',
    'webhook_not_found',
    'emitter_not_found',
    'listener_not_found',
    'subscription_not_found',
    'webhook_disabled',
    'malformed',
  ),
  message: text,
  existingId: optional(text),
};

const newWebhook = { ...webhookSettings, ...repeatable, ...webhookId, userId: ident, signingKey: sealed };

export const listenerCommands: ShapesOf<ListenerCommand> = {
  CreateWebhook: newWebhook,
  DeleteWebhook: webhookId,
  DisableWebhook: { ...webhookId, reason: gone },
  CreateSubscription: { ...triple, ...repeatable, ...subscriptionId, filter: optional(filterShape) },
  UpdateSubscription: { ...subscriptionId, filter: nullable(filterShape) },
  DeleteSubscription: triple,
};

export const listenerEvents: ShapesOf<ListenerEvent> = {
  WebhookCreated: newWebhook,
  WebhookCreateRefused: { ...webhookId, ...refused },
  WebhookDeleted: { ...webhookId, createdAt: optional(finite) },
  WebhookDeleteRefused: { ...webhookId, ...refused },
  WebhookDisabled: { ...webhookId, reason: gone },
  WebhookDisableRefused: { ...webhookId, ...refused },
  SubscriptionCreated: {
    ...{ ...triple, ...repeatable, ...subscriptionId },
    channelEnds: list(natural),
    filter: optional(filterShape),
  },
  SubscriptionCreateRefused: { ...subscriptionId, ...refused },
  SubscriptionUpdated: { ...subscriptionId, filter: nullable(filterShape), channelEnds: list(natural) },
  SubscriptionUpdateRefused: { ...subscriptionId, ...refused },
  EmitterGone: { emitterId: ident },
  ListenerGone: { listenerId: ident },
  SubscriptionDeleted: { ...triple, ...subscriptionId, createdAt: optional(finite) },
  SubscriptionDeleteRefused: { ...triple, ...refused },
};
