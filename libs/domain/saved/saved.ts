// What lifecycle knows of saved components: small, since there may be many; code and manifest are on `saves`.
import {
  answerRequest,
  keepRequest,
  madeBy,
  noRequests,
  restoreRequest,
  standingRequest,
} from '../definition/requests.ts';
import type { Requests } from '../definition/requests.ts';
import { derivedId } from '../id.ts';
import type { Decided, LogRecord } from '../message.ts';
import type { SavedDefinition, SavedEvent } from './messages.ts';

export interface SavedComponent {
  readonly workspace: string;
  readonly userId: string;
  readonly status: 'saving' | 'saved';
  readonly codeHash: string;
  /** The key of the request that created it; null: the request had no Idempotency-Key. */
  readonly requestKey: string | null;
}

export interface SavedComponents {
  readonly byId: Map<string, SavedComponent>;
  /** How many components a workspace has, including those being described. */
  readonly counts: Map<string, number>;
  readonly requests: Requests;
}

export const noSavedComponents = (requests = noRequests()): SavedComponents => ({
  byId: new Map(),
  counts: new Map(),
  requests,
});

/** The same code in a workspace is the same component. */
export const componentIdOf = (workspace: string, codeHash: string): string => derivedId('sc', workspace, codeHash);

export const isComponentId = (id: string): boolean => id.startsWith('sc_');

type Fetch = Extract<SavedEvent, { type: 'ComponentFetched' | 'ComponentFetchRefused' }>;

/** Removes the component completely. */
export const isFetch = (event: SavedEvent): event is Fetch =>
  event.type === 'ComponentFetched' || event.type === 'ComponentFetchRefused';

/** Updates `state` in place. */
export function evolveSaved(state: SavedComponents, event: SavedEvent): SavedComponents {
  if (isFetch(event)) return state;
  const { componentId } = event.data;
  if (event.type === 'ComponentSaving') {
    const { workspace, at, data } = event;
    const requestKey = keepRequest(state.requests, { workspace, id: componentId, at, request: data });
    const { userId, codeHash } = data;
    return place(state, componentId, { workspace, userId, status: 'saving', codeHash, requestKey });
  }
  const component = state.byId.get(componentId);
  if (component === undefined) return state;
  const { requestKey } = component;
  if (event.type === 'ComponentSaved') {
    answerRequest(state.requests, requestKey, componentId, { answeredAt: event.at });
    return place(state, componentId, { ...component, status: 'saved' });
  }
  if (!event.data.began || component.status === 'saved') return state;
  const { message, error } = event.data;
  const refusal = { reason: 'component_invalid', message, ...(error === undefined ? {} : { error }) } as const;
  answerRequest(state.requests, requestKey, componentId, { gone: true, refusal, answeredAt: event.at });
  return dropSaved(state, componentId);
}

/** The component is no longer saved, or never was. */
export function dropSaved(state: SavedComponents, componentId: string): SavedComponents {
  const component = state.byId.get(componentId);
  if (component !== undefined && state.byId.delete(componentId)) count(state, component.workspace, -1);
  return state;
}

/** Restores a component from a definition made by `savedDefinition`. */
export function placeSaved(state: SavedComponents, { workspace, data }: SavedDefinition & LogRecord): void {
  const { componentId, madeBy: made, ...component } = data;
  if (made !== null) restoreRequest(state.requests, made.key, standingRequest(made, { workspace, id: componentId }));
  place(state, componentId, { ...component, workspace, requestKey: made?.key ?? null });
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
  if (!state.byId.has(componentId)) count(state, component.workspace, 1);
  state.byId.set(componentId, component);
  return state;
}

function count({ counts }: SavedComponents, workspace: string, change: number): void {
  const now = (counts.get(workspace) ?? 0) + change;
  if (now > 0) counts.set(workspace, now);
  else counts.delete(workspace);
}
