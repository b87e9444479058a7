// The state of saved components in lifecycle: small, because there can be many; code and manifest are on `saves`.
import { count } from '../definition/counts.ts';
import type { Counts } from '../definition/counts.ts';
import {
  answerRequest,
  keepRequest,
  keepStanding,
  madeBy,
  noRequests,
  restoreMade,
} from '../definition/kept-requests.ts';
import type { Requests } from '../definition/kept-requests.ts';
import { derivedId } from '../id.ts';
import type { Decided, LogRecord } from '../message.ts';
import type { Repeatable } from '../definition/messages.ts';
import type { PublishedAs, SavedDefinition, SavedEvent } from './messages.ts';

export interface SavedComponent {
  readonly workspace: string;
  readonly userId: string;
  readonly status: 'saving' | 'saved';
  readonly codeHash: string;
  /** The key of the request that created it; null: the request had no Idempotency-Key. */
  readonly requestKey: string | null;
  /** It will be published once it is saved. */
  readonly publishes?: boolean;
  readonly published?: PublishedAs;
}

/** The name of a published key of a workspace. */
export const publishedName = (workspace: string, key: string): string => `${workspace}/${key}`;

export interface SavedComponents {
  readonly byId: Map<string, SavedComponent>;
  /** The number of components by workspace, including those being described. */
  readonly counts: Counts;
  /** The id of the published component by workspace and key (`publishedName`). */
  readonly published: Map<string, string>;
  readonly requests: Requests;
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
    const requestKey = keepRequest(state.requests, { workspace, id: componentId, at, request: data });
    const { userId, codeHash, publishes } = data;
    const saving = { workspace, userId, status: 'saving', codeHash, requestKey } as const;
    return place(state, componentId, publishes === undefined ? saving : { ...saving, publishes });
  }
  const component = state.byId.get(componentId);
  if (component === undefined) return state;
  const { requestKey } = component;
  if (event.type === 'ComponentSaved') {
    answerRequest(state.requests, requestKey, componentId, { answeredAt: event.at });
    const { publishes: _asked, ...saved } = component;
    return place(state, componentId, { ...saved, status: 'saved' });
  }
  if (event.type === 'ComponentPublished') {
    const { key, version } = event.data;
    return place(state, componentId, { ...component, published: { key, version } });
  }
  if (event.type === 'ComponentUnpublished') return withdraw(state, componentId, component);
  if (event.type === 'ComponentDeleted') {
    answerRequest(state.requests, requestKey, componentId, { gone: true });
    return dropSaved(withdraw(state, componentId, component), componentId);
  }
  if (event.type !== 'ComponentSaveRefused' || !event.data.began || component.status === 'saved') return state;
  // A repeat is decided anew, because another version can be published by then.
  if (event.data.reason === 'version_not_higher') {
    if (requestKey !== null) state.requests.delete(requestKey);
    return dropSaved(state, componentId);
  }
  const { message, error } = event.data;
  const refusal = { reason: 'component_invalid', message, ...(error === undefined ? {} : { error }) } as const;
  answerRequest(state.requests, requestKey, componentId, { gone: true, refusal, answeredAt: event.at });
  return dropSaved(state, componentId);
}

/** The request in the event, if another request had saved its component. */
export const tiedRequest = (event: SavedEvent): Repeatable | undefined =>
  event.type === 'ComponentPublished' || event.type === 'ComponentSaveRefused' ? event.data.request : undefined;

function tieRequest({ requests }: SavedComponents, event: Exclude<SavedEvent, Fetch>): void {
  const request = tiedRequest(event);
  if (request === undefined) return;
  const { workspace, at, data } = event;
  const id = ('existingId' in data ? data.existingId : undefined) ?? data.componentId;
  keepStanding(requests, { workspace, id, at, request });
}

function withdraw(state: SavedComponents, componentId: string, component: SavedComponent): SavedComponents {
  const { published, ...rest } = component;
  const name = published === undefined ? undefined : publishedName(component.workspace, published.key);
  if (name !== undefined && state.published.get(name) === componentId) state.published.delete(name);
  state.byId.set(componentId, rest);
  return state;
}

/** The component is no longer saved, or never was. */
export function dropSaved(state: SavedComponents, componentId: string): SavedComponents {
  const component = state.byId.get(componentId);
  if (component !== undefined && state.byId.delete(componentId)) count(state.counts, component.workspace, -1);
  return state;
}

/** Restores a component from a definition made by `savedDefinition`. */
export function placeSaved(state: SavedComponents, { workspace, data }: SavedDefinition & LogRecord): void {
  const { componentId, madeBy: made, ...component } = data;
  const requestKey = restoreMade(state.requests, made, { workspace, id: componentId });
  place(state, componentId, { ...component, workspace, requestKey });
}

/** Undefined: there is no such component. */
export function savedDefinition(state: SavedComponents, componentId: string): Decided<SavedDefinition> | undefined {
  const component = state.byId.get(componentId);
  if (component === undefined) return undefined;
  const { workspace: _envelope, requestKey, ...rest } = component;
  const made = madeBy(state.requests, requestKey, componentId);
  return { type: 'SavedDefined', data: { componentId, ...rest, madeBy: made } };
}

function place(state: SavedComponents, componentId: string, component: SavedComponent): SavedComponents {
  if (!state.byId.has(componentId)) count(state.counts, component.workspace, 1);
  state.byId.set(componentId, component);
  const { workspace, published } = component;
  if (published !== undefined) state.published.set(publishedName(workspace, published.key), componentId);
  return state;
}
