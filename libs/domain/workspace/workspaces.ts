// Decides about workspaces, their API keys and data keys: nothing is added twice.
import { decideApiKey, evolveApiKeys, firstKeySettings, keyIdOf, newApiKeyState } from './api-keys/api-keys.ts';
import type { ApiKeysByWorkspace } from './api-keys/api-keys.ts';
import type { Decided, Millis, Tombstone } from '../message.ts';
import type { CreateWorkspace, KeyEvent, WorkspaceCommand, WorkspaceEvent } from './messages.ts';

export interface Workspaces {
  readonly created: Set<string>;
  /** The users of each workspace, as `workspace/user`. */
  readonly users: Set<string>;
  /** Every hash ever added, in any workspace. */
  readonly hashes: Set<string>;
  readonly keys: ApiKeysByWorkspace;
  /** Workspaces that were ever given a data key. */
  readonly keyed: Set<string>;
}

export const noWorkspaces = (): Workspaces => ({
  created: new Set(),
  users: new Set(),
  hashes: new Set(),
  keys: new Map(),
  keyed: new Set(),
});

/** Updates `state` in place: a take-over folds all events, and copying would make that quadratic. */
export function evolveWorkspaces(
  state: Workspaces,
  event: WorkspaceEvent | KeyEvent | Tombstone<KeyEvent>,
): Workspaces {
  switch (event.type) {
    case 'WorkspaceCreated':
      state.created.add(event.workspace);
      state.users.add(memberKey(event.workspace, event.data.userId));
      return state;
    case 'ApiKeyAdded':
      state.hashes.add(event.data.hash);
      state.users.add(memberKey(event.workspace, event.data.userId));
      addFirstKey(state, event.workspace, event.data.hash);
      return state;
    case 'DataKeyAdded':
      state.keyed.add(event.workspace);
      return state;
    case 'ApiKeyCreated':
      state.hashes.add(event.data.hash);
      evolveApiKeys(state.keys, event);
      return state;
    // Only the processes that check sessions read these records.
    case 'SessionEnded':
    case 'SessionEndRefused':
      return state;
    default:
      evolveApiKeys(state.keys, event);
      return state;
  }
}

/** Whether the id is that of the workspace, or of a user of it. */
export const isOwnerOf = ({ users }: Workspaces, workspace: string, ownerId: string): boolean =>
  ownerId === workspace || users.has(memberKey(workspace, ownerId));

const memberKey = (workspace: string, userId: string): string => `${workspace}/${userId}`;

function addFirstKey({ keys }: Workspaces, workspace: string, hash: string): void {
  const workspaceKeys = keys.get(workspace) ?? new Map();
  keys.set(workspace, workspaceKeys.set(keyIdOf(hash), newApiKeyState({ ...firstKeySettings, hash })));
}

export function decideWorkspace(
  state: Workspaces,
  command: WorkspaceCommand,
  at: Millis,
): readonly Decided<WorkspaceEvent | KeyEvent>[] {
  if (command.type === 'CreateWorkspace') return decideCreate(state, command);
  if (command.type === 'EndSession') return [{ type: 'SessionEnded', data: command.data }];
  return decideApiKey({ keys: state.keys, wasAdded: (hash) => state.hashes.has(hash), at }, command);
}

/** No events if workspace, data key and API key exist already: the caller sees that the hash is known. */
function decideCreate(state: Workspaces, command: CreateWorkspace): readonly Decided<WorkspaceEvent | KeyEvent>[] {
  const { name, userId, username, email, apiKeyHash, apiKeyHint, dataKey } = command.data;
  const events: Decided<WorkspaceEvent | KeyEvent>[] = [];
  if (!state.created.has(command.workspace)) {
    events.push({ type: 'WorkspaceCreated', data: { name, userId, username, email } });
  }
  if (!state.keyed.has(command.workspace)) events.push({ type: 'DataKeyAdded', data: dataKey });
  if (!state.hashes.has(apiKeyHash)) {
    const hint = apiKeyHint === undefined ? {} : { hint: apiKeyHint };
    events.push({ type: 'ApiKeyAdded', data: { hash: apiKeyHash, userId, ...hint } });
  }
  return events;
}
