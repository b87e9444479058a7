// The shapes of records about webhooks and subscriptions; records that do not match are not used.
import { repeatable } from '../definition/shapes.ts';
import { filterShape } from '../delivery/filter/shapes.ts';
import { transformShape } from '../delivery/transform/shapes.ts';
import {
  finite,
  flag,
  ident,
  list,
  natural,
  nullable,
  object,
  oneOf,
  optional,
  sealed,
  text,
} from '../shape/checks.ts';
import { position } from '../delivery/replay/shapes.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type {
  AskedHeader,
  FixedHeader,
  ListenerCommand,
  ListenerEvent,
  NewSigningKey,
  PartitionPlace,
} from './messages.ts';

export const webhookSettings = {
  url: text,
  name: nullable(text),
  description: nullable(text),
  ordered: flag,
  retrySchedule: nullable(list(finite)),
  timeoutMs: optional(natural),
  onExhausted: optional(oneOf('block')),
  orderKey: optional(text),
  maxInFlight: optional(natural),
  rateLimit: optional(natural),
  headers: optional(list(object<FixedHeader>({ name: ident, value: sealed }))),
};
const newKey = { signingKey: sealed, publicKey: optional(text) };
/** In a change every setting can be absent, and null resets a setting to its default. */
const webhookChanges = {
  url: optional(text),
  name: optional(nullable(text)),
  description: optional(nullable(text)),
  ordered: optional(flag),
  retrySchedule: optional(nullable(list(finite))),
  timeoutMs: optional(nullable(natural)),
  onExhausted: optional(nullable(oneOf('block'))),
  orderKey: optional(nullable(text)),
  maxInFlight: optional(nullable(natural)),
  rateLimit: optional(nullable(natural)),
  active: optional(flag),
  headers: optional(list(object<AskedHeader>({ name: ident, value: nullable(sealed) }))),
  newKey: optional(object<NewSigningKey>(newKey)),
};
const triple = { emitterId: ident, listenerId: ident, eventName: nullable(text) };
const webhookId = { webhookId: ident };
const subscriptionId = { subscriptionId: ident };
const places = list(object<PartitionPlace>({ partition: natural, offset: natural }));
const gone = oneOf('gone');
const filtered = { filter: optional(filterShape), transform: optional(transformShape) };
const filterChange = { filter: optional(nullable(filterShape)), transform: optional(nullable(transformShape)) };

const refused = {
  reason: oneOf(
    'repeated',
    'idempotency_conflict',
    'webhook_not_found',
    'emitter_not_found',
    'listener_not_found',
    'subscription_not_found',
    'webhook_disabled',
    'webhook_changed',
    'filters_needed',
    'malformed',
  ),
  message: text,
  existingId: optional(text),
};

const newWebhook = { ...webhookSettings, ...repeatable, ...webhookId, ...newKey, userId: ident };
const regenerated = { ...repeatable, ...webhookId, ...newKey, overlapMs: natural };

export const listenerCommands: ShapesOf<ListenerCommand> = {
  CreateWebhook: newWebhook,
  DeleteWebhook: webhookId,
  UpdateWebhook: { ...webhookChanges, ...webhookId },
  RegenerateWebhookKey: regenerated,
  DisableWebhook: { ...webhookId, reason: gone, generation: optional(natural) },
  CreateSubscription: {
    ...triple,
    ...repeatable,
    ...subscriptionId,
    start: optional(position),
    startsAt: optional(places),
    ...filtered,
  },
  UpdateSubscription: {
    ...subscriptionId,
    ...filterChange,
    neededFrom: optional(natural),
    neededAt: optional(places),
  },
  DeleteSubscription: triple,
};

export const listenerEvents: ShapesOf<ListenerEvent> = {
  WebhookCreated: newWebhook,
  WebhookCreateRefused: { ...webhookId, ...refused },
  WebhookDeleted: { ...webhookId, createdAt: optional(finite) },
  WebhookDeleteRefused: { ...webhookId, ...refused },
  WebhookUpdated: { ...webhookChanges, ...webhookId },
  WebhookUpdateRefused: { ...webhookId, ...refused },
  WebhookKeyRegenerated: regenerated,
  WebhookKeyRegenerateRefused: { ...webhookId, ...refused },
  WebhookDisabled: { ...webhookId, reason: gone },
  WebhookDisableRefused: { ...webhookId, ...refused },
  SubscriptionCreated: {
    ...triple,
    ...repeatable,
    ...subscriptionId,
    channelEnds: list(natural),
    ...filtered,
  },
  SubscriptionCreateRefused: { ...subscriptionId, ...refused },
  SubscriptionUpdated: { ...subscriptionId, ...filterChange, channelEnds: optional(list(natural)) },
  SubscriptionUpdateRefused: { ...subscriptionId, ...refused },
  EmitterGone: { emitterId: ident },
  ListenerGone: { listenerId: ident },
  SubscriptionDeleted: { ...triple, ...subscriptionId, createdAt: optional(finite) },
  SubscriptionDeleteRefused: { ...triple, ...refused },
};
