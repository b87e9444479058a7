// Decides the process of saving a component: its code goes to the log, it is described, then saved or refused.
import { trigger } from '../source/process/deploy.ts';
import { boundedConsole, boundedError, describeError } from '../component/bounded-output.ts';
import { isTooLarge } from '../source/process/configure.ts';
import type { Manifest } from '../component/manifest.ts';
import { manifestProblems } from '../component/manifest-problems.ts';
import type { HookEvent, Trigger } from '../source/messages.ts';
import { codeHashOf, programOf } from '../component/program/program.ts';
import { findEarlierRequest, conflictMessage } from '../definition/recorded-requests.ts';
import type { Repeatable } from '../definition/messages.ts';
import type { Decided, Millis } from '../message.ts';
import { sizes } from '../sizes.ts';
import type { SavedCommand, SavedEvent } from './messages.ts';
import { decideDelete } from './delete.ts';
import { decidePublish, decideUnpublish } from './publishing/publish-component.ts';
import type { Declared } from './publishing/publish-component.ts';
import { isComponentId } from './saved.ts';
import type { SavedComponents } from './saved.ts';

/** The most saved components of a workspace: each takes about 300 bytes of memory, all at most 5 GiB on the log. */
export const savedComponentsMax = 10_000;

/** The only revision, because other code is another component. */
const revision = 1;
/** The longest key: longer ones would not fit into a path. */
const keyCharsMax = 200;
/** How many problems of a manifest are reported at most. */
const problemsShownMax = 20;

export type SavedDecided = Decided<SavedEvent> | Decided<Trigger>;
type RefusalData = Extract<Decided<SavedEvent>, { type: 'ComponentSaveRefused' }>['data'];

export function decideSaved(
  state: SavedComponents,
  command: SavedCommand,
  context: { readonly at: Millis },
): readonly SavedDecided[] {
  switch (command.type) {
    case 'SaveComponent':
      return decideSave(state, command, context);
    case 'UnpublishComponent':
      return decideUnpublish(state, command);
    case 'DeleteComponent':
      return decideDelete(state, command);
  }
}

function decideSave(
  state: SavedComponents,
  { data: { publish, ...data }, workspace }: Extract<SavedCommand, { type: 'SaveComponent' }>,
  { at }: { readonly at: Millis },
): readonly SavedDecided[] {
  const { componentId } = data;
  const refuse = (refusal: Omit<RefusalData, 'componentId' | 'began'>): readonly SavedDecided[] => [
    refused({ componentId, began: false, ...refusal }),
  ];
  const first = findEarlierRequest(state.requests, { workspace, id: componentId, at, request: data });
  if (first === 'conflict') return refuse({ reason: 'idempotency_conflict', message: conflictMessage });
  if (first?.refusal) {
    const { message, error } = first.refusal;
    return refuse({ reason: 'component_invalid', message, ...(error === undefined ? {} : { error }) });
  }
  const existingId = first?.id ?? componentId;
  const existing = state.byId.get(existingId);
  // The component was deleted, and the request can lack the code.
  if (first !== undefined && existing === undefined)
    return refuse({ reason: 'idempotency_conflict', message: conflictMessage });
  if (existing?.status === 'saving' && first === undefined) {
    return refuse(busyRefusal);
  }
  const tied = first === undefined ? tiedRequestOf(data) : {};
  if (existing !== undefined && publish !== undefined && first === undefined)
    return publishSaved(state, { componentId, workspace, tied }, publish);
  if (existing !== undefined)
    return refuse({ reason: 'repeated', message: 'This code is saved already.', existingId, ...tied });
  if ((state.counts.get(workspace) ?? 0) >= savedComponentsMax) {
    const message = `The workspace has ${savedComponentsMax} saved components, and may not have more.`;
    return refuse({ reason: 'too_many_components', message });
  }
  const saving = { ...data, codeHash: codeHashOf(data), ...(publish === undefined ? {} : { publishes: true }) };
  if (isTooLarge(saving)) {
    const message = `The code is too large: as JSON at most ${sizes.recordBytes} bytes are kept with what belongs to it.`;
    return refuse({ reason: 'component_invalid', message });
  }
  const describe = trigger(componentId, revision, 'describe');
  return [
    { type: 'ComponentSaving', data: saving },
    { ...describe, data: { ...describe.data, ...programOf(data) } },
  ];
}

const busyRefusal = {
  reason: 'busy',
  message: 'This component is being saved for another request: try again in a moment.',
} as const;

/** A new request with an Idempotency-Key, which is tied to the existing component. */
interface TiedRequest {
  readonly request?: Repeatable;
}

const tiedRequestOf = ({ fingerprint, requestKey }: Repeatable): TiedRequest =>
  fingerprint === null || requestKey === undefined ? {} : { request: { fingerprint, requestKey } };

interface ExistingComponent {
  readonly componentId: string;
  readonly workspace: string;
  readonly tied: TiedRequest;
}

/** Publishes an existing component; the sender, who saw it, passes the key and version that it declares. */
function publishSaved(
  state: SavedComponents,
  { tied, ...component }: ExistingComponent,
  declared: Declared,
): readonly SavedDecided[] {
  const { componentId } = component;
  if (declared.version === undefined) return [refused({ componentId, began: false, ...busyRefusal })];
  const published = decidePublish(state, component, declared);
  if ('reason' in published)
    return [refused({ componentId, began: false, ...published, ...(published.reason === 'repeated' && tied) })];
  return published.map((event) =>
    event.type === 'ComponentPublished' ? { ...event, data: { ...event.data, ...tied } } : event,
  );
}

/** Continues with the outcome of describing. Ignores late and repeated outcomes. */
export function decideSavedOutcome(state: SavedComponents, event: HookEvent): readonly SavedDecided[] {
  const componentId = event.data.sourceId;
  const component = state.byId.get(componentId);
  if (component?.status !== 'saving') return [];
  const console = boundedConsole(event.data.console);
  if (event.type === 'SourceDescribed') {
    const { manifest, lock } = event.data;
    const problems = [...manifestProblems(manifest), ...keyProblems(manifest)];
    if (problems.length > 0) {
      const message = problems.slice(0, problemsShownMax).join(' ');
      return [refused({ componentId, began: true, reason: 'component_invalid', message, console })];
    }
    const { userId, codeHash, workspace, publishes } = component;
    const saved: SavedDecided = {
      type: 'ComponentSaved',
      data: { componentId, userId, codeHash, manifest, ...(lock !== undefined && { lock }) },
    };
    const published = publishes === true ? decidePublish(state, { componentId, workspace }, manifest) : [];
    if ('reason' in published) return [refused({ componentId, began: true, ...published, console })];
    return [saved, ...published];
  }
  if (event.type !== 'HookFailed') return decideUnusableSaved(state, componentId, 'The component was not described.');
  const error = boundedError(event.data.error);
  const message = `The component cannot be loaded: ${describeError(error)}`;
  return [refused({ componentId, began: true, reason: 'component_invalid', message, error, console })];
}

/** Problems of the key, by which paths can name the component. */
function keyProblems({ key = '' }: Manifest): readonly string[] {
  if (key.length > keyCharsMax) return [`The component's key has more than ${keyCharsMax} characters.`];
  return isComponentId(key) ? ["The component's key begins with sc_, as ids of saved components do."] : [];
}

/** Refuses the component if the outcome of describing is unreadable. */
export function decideUnusableSaved(
  { byId }: SavedComponents,
  componentId: string,
  message: string,
): readonly SavedDecided[] {
  if (byId.get(componentId)?.status !== 'saving') return [];
  return [refused({ componentId, began: true, reason: 'component_invalid', message })];
}

const refused = (data: RefusalData): SavedDecided => ({ type: 'ComponentSaveRefused', data });
