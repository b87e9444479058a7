// What a record about workspaces and their keys must hold to be used.
import { ident, object, text } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { KeyEvent, WorkspaceCommand, WorkspaceEvent, WrappedKey } from './messages.ts';

const owner = { name: text, userId: ident, username: text, email: text };
const wrappedKey = { keyId: text, wrapped: text };

export const workspaceCommands: ShapesOf<WorkspaceCommand> = {
  CreateWorkspace: { ...owner, apiKeyHash: ident, dataKey: object<WrappedKey>(wrappedKey) },
};

export const workspaceEvents: ShapesOf<WorkspaceEvent> = {
  WorkspaceCreated: owner,
  ApiKeyAdded: { hash: ident, userId: ident },
};

export const keyEvents: ShapesOf<KeyEvent> = { DataKeyAdded: wrappedKey };
