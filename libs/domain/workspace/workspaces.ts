// Decides about workspaces, their API keys and data keys: what stands once is never added a second time.
import type { Decided } from '../message.ts';
import type { MessageOn } from '../messages-of.ts';
import type { KeyEvent, WorkspaceCommand, WorkspaceEvent } from './messages.ts';

export interface Workspaces {
  readonly created: Set<string>;
  /** Every hash ever added, in whichever workspace. */
  readonly hashes: Set<string>;
  /** Workspaces that were ever given a data key. */
  readonly keyed: Set<string>;
}

export const noWorkspaces = (): Workspaces => ({ created: new Set(), hashes: new Set(), keyed: new Set() });

/** Updates `state` in place: a take-over folds every event there is, and copying would make that quadratic. */
export function evolveWorkspaces(state: Workspaces, event: MessageOn<'workspaces' | 'keys'>): Workspaces {
  switch (event.type) {
    case 'WorkspaceCreated':
      state.created.add(event.workspace);
      return state;
    case 'ApiKeyAdded':
      state.hashes.add(event.data.hash);
      return state;
    case 'DataKeyAdded':
      state.keyed.add(event.workspace);
      return state;
  }
}

/** Nothing when all of it stands already: whoever asked sees that the hash is known. */
export function decideWorkspace(
  state: Workspaces,
  command: WorkspaceCommand,
): readonly Decided<WorkspaceEvent | KeyEvent>[] {
  const { name, userId, username, email, apiKeyHash, dataKey } = command.data;
  const decided: Decided<WorkspaceEvent | KeyEvent>[] = [];
  if (!state.created.has(command.workspace)) {
    decided.push({ type: 'WorkspaceCreated', data: { name, userId, username, email } });
  }
  if (!state.keyed.has(command.workspace)) decided.push({ type: 'DataKeyAdded', data: dataKey });
  if (!state.hashes.has(apiKeyHash)) decided.push({ type: 'ApiKeyAdded', data: { hash: apiKeyHash, userId } });
  return decided;
}
