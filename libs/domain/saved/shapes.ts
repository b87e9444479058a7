// The shapes of records about saved components; records that do not match are not used.
import {
  componentError,
  consoleLines,
  locked,
  manifest,
  otherFiles,
  registryComponents,
  registryQuery,
} from '../component/shapes.ts';
import type { Repeatable } from '../definition/messages.ts';
import { madeBy, repeatable } from '../definition/shapes.ts';
import { flag, ident, natural, object, oneOf, optional, sealed, text } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { CodeCommand, Publication, SavedCommand, SavedDefinition, SavedEvent } from './messages.ts';
import type { Declared } from './publishing/publish-component.ts';

const publication = { key: text, version: text };
const component = { componentId: ident, userId: ident };

export const savedCommands: ShapesOf<SavedCommand | CodeCommand> = {
  FetchComponent: { ...repeatable, fetchId: ident, url: optional(sealed), find: optional(registryQuery) },
  SaveComponent: {
    ...repeatable,
    ...component,
    code: text,
    ...otherFiles,
    publish: optional(object<Declared>({ key: optional(text), version: optional(text) })),
  },
  UnpublishComponent: { componentId: ident },
  DeleteComponent: { componentId: ident },
};

const reason = oneOf(
  'repeated',
  'idempotency_conflict',
  'busy',
  'component_invalid',
  'fetch_failed',
  'unknown_key',
  'too_many_components',
  'version_not_higher',
  'not_published',
  'component_not_found',
  'malformed',
);

export const savedEvents: ShapesOf<SavedEvent> = {
  ComponentSaving: {
    ...repeatable,
    ...component,
    code: text,
    ...otherFiles,
    codeHash: text,
    publishes: optional(flag),
  },
  ComponentSaved: { ...component, codeHash: text, manifest, ...locked },
  ComponentSaveRefused: {
    componentId: ident,
    began: flag,
    reason,
    message: text,
    error: optional(componentError),
    console: optional(consoleLines),
    existingId: optional(ident),
    request: optional(object<Repeatable>(repeatable)),
  },
  ComponentPublished: { componentId: ident, ...publication, request: optional(object<Repeatable>(repeatable)) },
  ComponentUnpublished: { componentId: ident, key: text },
  ComponentUnpublishRefused: { componentId: ident, reason, message: text },
  ComponentDeleted: { componentId: ident },
  ComponentDeleteRefused: { componentId: ident, reason, message: text },
  ComponentsFound: { fetchId: ident, hooksOffset: optional(natural), components: optional(registryComponents) },
  ComponentFetched: { fetchId: ident, hooksOffset: optional(natural), code: optional(text) },
  ComponentFetchRefused: { fetchId: ident, reason, message: text },
};

export const savedDefinitions: ShapesOf<SavedDefinition> = {
  SavedDefined: {
    ...component,
    status: oneOf('saving', 'saved'),
    codeHash: text,
    publishes: optional(flag),
    published: optional(object<Publication>(publication)),
    madeBy,
  },
};
