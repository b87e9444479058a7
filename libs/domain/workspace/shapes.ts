// The shapes of records about workspaces and their keys; records that do not match are not used.
import { ident, object, optional, text } from '../shape/checks.ts';
import { apiKeyCommands, apiKeyEvents, sessionCommands, sessionEvents } from './api-keys/shapes.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { KeyEvent, WorkspaceCommand, WorkspaceEvent, WrappedKey } from './messages.ts';

const owner = { name: text, userId: ident, username: text, email: text };
const wrappedKey = { keyId: text, wrapped: text };

export const workspaceCommands: ShapesOf<WorkspaceCommand> = {
  ...apiKeyCommands,
  ...sessionCommands,
  CreateWorkspace: { ...owner, apiKeyHash: ident, apiKeyHint: optional(text), dataKey: object<WrappedKey>(wrappedKey) },
};

export const workspaceEvents: ShapesOf<WorkspaceEvent> = {
  ...apiKeyEvents,
  ...sessionEvents,
  WorkspaceCreated: owner,
  ApiKeyAdded: { hash: ident, userId: ident, hint: optional(text) },
};

export const keyEvents: ShapesOf<KeyEvent> = { DataKeyAdded: wrappedKey };
