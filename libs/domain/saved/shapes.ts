// What a record about saved components must hold to be used.
import { componentError, consoleLines, manifest, otherFiles } from '../component/shapes.ts';
import type { MadeBy } from '../definition/messages.ts';
import { flag, ident, millis, natural, nullable, object, oneOf, optional, sealed, text } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { CodeCommand, CodeFetched, SavedCommand, SavedDefinition, SavedEvent } from './messages.ts';

const repeatable = { fingerprint: nullable(text), requestKey: optional(ident) };
const component = { componentId: ident, userId: ident };

export const savedCommands: ShapesOf<SavedCommand | CodeCommand> = {
  FetchComponent: { ...repeatable, fetchId: ident, url: sealed },
  SaveComponent: { ...repeatable, ...component, code: text, ...otherFiles },
};

const reason = oneOf(
  'repeated',
  'idempotency_conflict',
  'busy',
  'component_invalid',
  'fetch_failed',
  'too_many_components',
  'malformed',
);

export const savedEvents: ShapesOf<SavedEvent> = {
  ComponentSaving: { ...repeatable, ...component, code: text, ...otherFiles, codeHash: text },
  ComponentSaved: { ...component, codeHash: text, manifest },
  ComponentSaveRefused: {
    componentId: ident,
    began: flag,
    reason,
    message: text,
    error: optional(componentError),
    console: optional(consoleLines),
    existingId: optional(ident),
  },
  ComponentFetched: { fetchId: ident, code: text },
  ComponentFetchRefused: { fetchId: ident, reason, message: text },
};

export const codeFetched: ShapesOf<CodeFetched> = {
  CodeFetched: { sourceId: ident, revision: natural, code: text },
};

export const savedDefinitions: ShapesOf<SavedDefinition> = {
  SavedDefined: {
    ...component,
    status: oneOf('saving', 'saved'),
    codeHash: text,
    madeBy: nullable(object<MadeBy>({ key: ident, fingerprint: text, answeredAt: millis })),
  },
};
