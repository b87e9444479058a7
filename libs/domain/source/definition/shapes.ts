// What the definition of a source must hold to be used.
import type { ApphookInterface, HttpInterface } from '../../component/http/interfaces.ts';
import { consoleLines } from '../../component/shapes.ts';
import type { DefinitionsEvent } from '../../definition/messages.ts';
import { deployRefusal, definitionsEvents, creationFields } from '../../definition/shapes.ts';
import { flag, ident, list, natural, nullable, object, oneOf, optional, sealed, text } from '../../shape/checks.ts';
import type { ShapesOf } from '../../shape/shapes.ts';
import { timerSchedule } from '../../timer/shapes.ts';
import { hookKind, sourceKind, sourceSettings } from '../shapes.ts';
import type { RevisionDefinition, SourceDefinition, UpdateDefinition } from './messages.ts';

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
export const sourceDefinitions: ShapesOf<SourceDefinition | DefinitionsEvent> = {
  ...definitionsEvents,
  SourceDefined: {
    ...creationFields,
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
