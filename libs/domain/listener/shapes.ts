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
  HeaderChange,
  WebhookHeader,
  ListenerCommand,
  ListenerEvent,
  NewSigningKey,
  PartitionOffset,
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
  headers: optional(list(object<WebhookHeader>({ name: ident, value: sealed }))),
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
  headers: optional(list(object<HeaderChange>({ name: ident, value: nullable(sealed) }))),
  newKey: optional(object<NewSigningKey>(newKey)),
};
const triple = { emitterId: ident, listenerId: ident, eventName: nullable(text) };
const webhookId = { webhookId: ident };
const subscriptionId = { subscriptionId: ident };
const partitionOffsets = list(object<PartitionOffset>({ partition: natural, offset: natural }));
const goneReason = oneOf('gone');
const filterAndTransform = { filter: optional(filterShape), transform: optional(transformShape) };
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
const regeneratedKey = { ...repeatable, ...webhookId, ...newKey, overlapMs: natural };

export const listenerCommands: ShapesOf<ListenerCommand> = {
  CreateWebhook: newWebhook,
  DeleteWebhook: webhookId,
  UpdateWebhook: { ...webhookChanges, ...webhookId },
  RegenerateWebhookKey: regeneratedKey,
  DisableWebhook: { ...webhookId, reason: goneReason, generation: optional(natural) },
  CreateSubscription: {
    ...triple,
    ...repeatable,
    ...subscriptionId,
    start: optional(position),
    startsAt: optional(partitionOffsets),
    ...filterAndTransform,
  },
  UpdateSubscription: {
    ...subscriptionId,
    ...filterChange,
    neededFrom: optional(natural),
    neededAt: optional(partitionOffsets),
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
  WebhookKeyRegenerated: regeneratedKey,
  WebhookKeyRegenerateRefused: { ...webhookId, ...refused },
  WebhookDisabled: { ...webhookId, reason: goneReason },
  WebhookDisableRefused: { ...webhookId, ...refused },
  SubscriptionCreated: {
    ...triple,
    ...repeatable,
    ...subscriptionId,
    channelEnds: list(natural),
    ...filterAndTransform,
  },
  SubscriptionCreateRefused: { ...subscriptionId, ...refused },
  SubscriptionUpdated: { ...subscriptionId, ...filterChange, channelEnds: optional(list(natural)) },
  SubscriptionUpdateRefused: { ...subscriptionId, ...refused },
  EmitterGone: { emitterId: ident },
  ListenerGone: { listenerId: ident },
  SubscriptionDeleted: { ...triple, ...subscriptionId, createdAt: optional(finite) },
  SubscriptionDeleteRefused: { ...triple, ...refused },
};
