// The state of saved components in lifecycle: small, because there can be many; code and manifest are on `saves`.
import { adjustCount } from '../definition/counts.ts';
import type { Counts } from '../definition/counts.ts';
import {
  updateRequest,
  recordRequest,
  recordForExisting,
  madeByOf,
  noRequests,
  restoreMadeBy,
} from '../definition/recorded-requests.ts';
import type { RecordedRequests } from '../definition/recorded-requests.ts';
import { derivedId } from '../id.ts';
import type { Decided, LogRecord } from '../message.ts';
import type { Repeatable } from '../definition/messages.ts';
import type { Publication, SavedDefinition, SavedEvent } from './messages.ts';

export interface SavedComponent {
  readonly workspace: string;
  readonly userId: string;
  readonly status: 'saving' | 'saved';
  readonly codeHash: string;
  /** The key of the request that created it; null: the request had no Idempotency-Key. */
  readonly requestKey: string | null;
  /** It will be published once it is saved. */
  readonly publishes?: boolean;
  readonly published?: Publication;
}

/** The name of a published key of a workspace. */
export const publishedKeyOf = (workspace: string, key: string): string => `${workspace}/${key}`;

export interface SavedComponents {
  readonly byId: Map<string, SavedComponent>;
  /** The number of components by workspace, including those being described. */
  readonly counts: Counts;
  /** The id of the published component by workspace and key (`publishedKeyOf`). */
  readonly published: Map<string, string>;
  readonly requests: RecordedRequests;
}

export const noSavedComponents = (requests = noRequests()): SavedComponents => ({
  byId: new Map(),
  counts: new Map(),
  published: new Map(),
  requests,
});

/** The same code in a workspace is the same component. */
export const componentIdOf = (workspace: string, codeHash: string): string => derivedId('sc', workspace, codeHash);

export const isComponentId = (id: string): boolean => id.startsWith('sc_');

type Fetch = Extract<SavedEvent, { type: 'ComponentFetched' | 'ComponentsFound' | 'ComponentFetchRefused' }>;

export const isFetch = (event: SavedEvent): event is Fetch =>
  event.type === 'ComponentFetched' || event.type === 'ComponentsFound' || event.type === 'ComponentFetchRefused';

/** Updates `state` in place. */
export function evolveSaved(state: SavedComponents, event: SavedEvent): SavedComponents {
  if (isFetch(event)) return state;
  tieRequest(state, event);
  const { componentId } = event.data;
  if (event.type === 'ComponentSaving') {
    const { workspace, at, data } = event;
    const requestKey = recordRequest(state.requests, { workspace, id: componentId, at, request: data });
    const { userId, codeHash, publishes } = data;
    const saving = { workspace, userId, status: 'saving', codeHash, requestKey } as const;
    return putSaved(state, componentId, publishes === undefined ? saving : { ...saving, publishes });
  }
  const component = state.byId.get(componentId);
  if (component === undefined) return state;
  const { requestKey } = component;
  if (event.type === 'ComponentSaved') {
    updateRequest(state.requests, requestKey, componentId, { answeredAt: event.at });
    const { publishes: _publishes, ...saved } = component;
    return putSaved(state, componentId, { ...saved, status: 'saved' });
  }
  if (event.type === 'ComponentPublished') {
    const { key, version } = event.data;
    return putSaved(state, componentId, { ...component, published: { key, version } });
  }
  if (event.type === 'ComponentUnpublished') return unpublish(state, componentId, component);
  if (event.type === 'ComponentDeleted') {
    updateRequest(state.requests, requestKey, componentId, { gone: true });
    return removeSaved(unpublish(state, componentId, component), componentId);
  }
  if (event.type !== 'ComponentSaveRefused' || !event.data.began || component.status === 'saved') return state;
  // A repeat is decided anew, because another version can be published by then.
  if (event.data.reason === 'version_not_higher') {
    if (requestKey !== null) state.requests.delete(requestKey);
    return removeSaved(state, componentId);
  }
  const { message, error } = event.data;
  const refusal = { reason: 'component_invalid', message, ...(error === undefined ? {} : { error }) } as const;
  updateRequest(state.requests, requestKey, componentId, { gone: true, refusal, answeredAt: event.at });
  return removeSaved(state, componentId);
}

/** The request in the event, if another request had saved its component. */
export const tiedRequest = (event: SavedEvent): Repeatable | undefined =>
  event.type === 'ComponentPublished' || event.type === 'ComponentSaveRefused' ? event.data.request : undefined;

function tieRequest({ requests }: SavedComponents, event: Exclude<SavedEvent, Fetch>): void {
  const request = tiedRequest(event);
  if (request === undefined) return;
  const { workspace, at, data } = event;
  const id = ('existingId' in data ? data.existingId : undefined) ?? data.componentId;
  recordForExisting(requests, { workspace, id, at, request });
}

function unpublish(state: SavedComponents, componentId: string, component: SavedComponent): SavedComponents {
  const { published, ...rest } = component;
  const name = published === undefined ? undefined : publishedKeyOf(component.workspace, published.key);
  if (name !== undefined && state.published.get(name) === componentId) state.published.delete(name);
  state.byId.set(componentId, rest);
  return state;
}

/** The component is no longer saved, or never was. */
export function removeSaved(state: SavedComponents, componentId: string): SavedComponents {
  const component = state.byId.get(componentId);
  if (component !== undefined && state.byId.delete(componentId)) adjustCount(state.counts, component.workspace, -1);
  return state;
}

/** Restores a component from a definition made by `savedDefinition`. */
export function restoreSaved(state: SavedComponents, { workspace, data }: SavedDefinition & LogRecord): void {
  const { componentId, madeBy: made, ...component } = data;
  const requestKey = restoreMadeBy(state.requests, made, { workspace, id: componentId });
  putSaved(state, componentId, { ...component, workspace, requestKey });
}

/** Undefined: there is no such component. */
export function savedDefinition(state: SavedComponents, componentId: string): Decided<SavedDefinition> | undefined {
  const component = state.byId.get(componentId);
  if (component === undefined) return undefined;
  const { workspace: _envelope, requestKey, ...rest } = component;
  const made = madeByOf(state.requests, requestKey, componentId);
  return { type: 'SavedDefined', data: { componentId, ...rest, madeBy: made } };
}

function putSaved(state: SavedComponents, componentId: string, component: SavedComponent): SavedComponents {
  if (!state.byId.has(componentId)) adjustCount(state.counts, component.workspace, 1);
  state.byId.set(componentId, component);
  const { workspace, published } = component;
  if (published !== undefined) state.published.set(publishedKeyOf(workspace, published.key), componentId);
  return state;
}
