// The shapes of definitions of webhooks and subscriptions; records that do not match are not used.
import type { DefinitionsEvent } from '../../definition/messages.ts';
import { definitionsEvents, creationFields, madeBy } from '../../definition/shapes.ts';
import { filtersShape } from '../../delivery/filter/shapes.ts';
import { flag, ident, list, millis, natural, nullable, object, optional, sealed, text } from '../../shape/checks.ts';
import type { ShapesOf } from '../../shape/shapes.ts';
import { webhookSettings } from '../shapes.ts';
import type { FilterDefinition, FormerKey, SubscriptionDefinition, WebhookDefinition } from './messages.ts';

export const webhookDefinitions: ShapesOf<WebhookDefinition | DefinitionsEvent> = {
  ...definitionsEvents,
  WebhookDefined: {
    ...creationFields,
    ...webhookSettings,
    webhookId: ident,
    userId: ident,
    signingKey: sealed,
    disabled: flag,
    publicKey: optional(text),
    keyMadeBy: optional(madeBy),
    formerKeys: optional(list(object<FormerKey>({ key: sealed, validUntil: millis, madeBy }))),
    pausedAt: optional(millis),
    generation: optional(natural),
  },
};

export const subscriptionDefinitions: ShapesOf<SubscriptionDefinition | FilterDefinition | DefinitionsEvent> = {
  ...definitionsEvents,
  SubscriptionDefined: {
    ...creationFields,
    subscriptionId: ident,
    emitterId: ident,
    listenerId: ident,
    eventName: nullable(text),
    from: nullable(natural),
  },
  FilterDefined: { subscriptionId: ident, partition: natural, filters: filtersShape },
};
