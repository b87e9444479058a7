// What a definition, or what is kept of a request, must hold to be used.
import { consoleLines, deployRefusal, hookKind, sourceKind, sourceSettings } from '../component/shapes.ts';
import type { ApphookInterface, HttpInterface } from '../component/http/interfaces.ts';
import { filtersShape } from '../delivery/filter/shapes.ts';
import { webhookSettings } from '../listener/shapes.ts';
import {
  flag,
  ident,
  list,
  millis,
  natural,
  nullable,
  object,
  oneOf,
  optional,
  sealed,
  text,
} from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import { timerSchedule } from '../timer/shapes.ts';
import type {
  AnswerEvent,
  DefinitionsEvent,
  FilterDefinition,
  FormerKey,
  MadeBy,
  RevisionDefinition,
  SourceDefinition,
  SubscriptionDefinition,
  UpdateDefinition,
  WebhookDefinition,
} from './messages.ts';

const madeByShape = { key: ident, fingerprint: text, answeredAt: millis };
const madeBy = nullable(object<MadeBy>(madeByShape));
const made = { createdAt: millis, madeBy };
const http = nullable(object<HttpInterface>({ customResponse: flag }));
const apphook = optional(nullable(object<ApphookInterface>({ eventNames: nullable(list(text)) })));
const revision = object<RevisionDefinition>({
  revision: natural,
  codeRevision: natural,
  codeFrom: natural,
  configuredFrom: nullable(natural),
  hooks: list(hookKind),
  http,
  timer: nullable(timerSchedule),
  accounts: optional(list(ident)),
  apphook,
});
const update = object<UpdateDefinition>({
  name: nullable(text),
  active: flag,
  settings: optional(sourceSettings),
  swapped: oneOf('not_yet', 'swapped', 'back'),
  other: nullable(revision),
  refusal: nullable(deployRefusal),
});
const folded: ShapesOf<DefinitionsEvent> = { DefinitionsFolded: { format: natural } };

export const sourceDefinitions: ShapesOf<SourceDefinition | DefinitionsEvent> = {
  ...folded,
  SourceDefined: {
    ...made,
    sourceId: ident,
    status: oneOf('deploying', 'deployed', 'updating', 'deleting'),
    revision: natural,
    endpointKey: ident,
    requestedName: nullable(text),
    configuredProps: nullable(sealed),
    nameSlug: nullable(text),
    hooks: list(hookKind),
    ended: list(hookKind),
    console: consoleLines,
    http,
    timer: optional(nullable(timerSchedule)),
    apphook,
    settings: optional(sourceSettings),
    codeFrom: natural,
    configuredFrom: nullable(natural),
    active: optional(flag),
    codeRevision: optional(natural),
    lastRevision: optional(natural),
    ignoreHookErrors: optional(flag),
    update: optional(update),
    kind: optional(sourceKind),
    accounts: optional(list(ident)),
  },
};

export const webhookDefinitions: ShapesOf<WebhookDefinition | DefinitionsEvent> = {
  ...folded,
  WebhookDefined: {
    ...made,
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
  ...folded,
  SubscriptionDefined: {
    ...made,
    subscriptionId: ident,
    emitterId: ident,
    listenerId: ident,
    eventName: nullable(text),
    from: nullable(natural),
  },
  FilterDefined: { subscriptionId: ident, partition: natural, filters: filtersShape },
};

export const answerEvents: ShapesOf<AnswerEvent> = {
  AnswerKept: {
    ...madeByShape,
    id: ident,
    refusal: nullable(deployRefusal),
    stands: optional(flag),
  },
};
