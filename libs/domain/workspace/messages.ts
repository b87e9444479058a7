// Commands and events about workspaces and their API keys and data keys (topics `commands`, `workspaces`, `keys`).
import type { ApiKeyCommand, ApiKeyEvent, SessionCommand, SessionEvent } from './api-keys/messages.ts';
import type { MessageOf } from '../message.ts';

/** A data key encrypted with the master key: base64 of nonce, tag and ciphertext. */
export interface WrappedKey {
  readonly keyId: string;
  readonly wrapped: string;
}

export type CreateWorkspace = MessageOf<{
  /** Sent at every start until the key's hash is on the log; `userId` owns the workspace. */
  CreateWorkspace: {
    readonly name: string;
    readonly userId: string;
    readonly username: string;
    readonly email: string;
    /** Hex SHA-256 of the first API key. */
    readonly apiKeyHash: string;
    /** The first characters of that key. */
    readonly apiKeyHint?: string;
    readonly dataKey: WrappedKey;
  };
}>;

export type WorkspaceCommand = CreateWorkspace | ApiKeyCommand | SessionCommand;

/** On `workspaces`. A hash that was ever added, revoked or not, is never added again. */
export type WorkspaceEvent =
  | ApiKeyEvent
  | SessionEvent
  | MessageOf<{
      WorkspaceCreated: {
        readonly name: string;
        readonly userId: string;
        readonly username: string;
        readonly email: string;
      };
      /** A key that a gateway keeps in its data directory. */
      ApiKeyAdded: { readonly hash: string; readonly userId: string; readonly hint?: string };
    }>;

/** On `keys`, compacted by workspace: `null` data would be a tombstone that erases. */
export type KeyEvent = MessageOf<{ DataKeyAdded: WrappedKey }>;
