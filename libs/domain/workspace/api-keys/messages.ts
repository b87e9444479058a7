// Commands and events about a workspace's API keys and their sessions (topics `commands`, `workspaces`): never a key.
import type { MessageOf, Millis } from '../../message.ts';

/** `read`: what changes nothing (GET and HEAD). `write`: everything else. `audit`: the workspace's history, and only that. */
export const scopes = ['read', 'write', 'audit'] as const;
export type Scope = (typeof scopes)[number];

export interface KeySettings {
  readonly name: string;
  /** At least one. */
  readonly scopes: readonly Scope[];
  /** When the key expires; null: never. */
  readonly expiresAt: Millis | null;
}

export interface NewApiKey extends KeySettings {
  readonly keyId: string;
  readonly userId: string;
  /** Hex SHA-256 of the key. */
  readonly hash: string;
  /** The first characters of the key, by which its owner recognises it. */
  readonly hint: string;
}

export type ApiKeyRefusal =
  'malformed' | 'repeated' | 'idempotency_conflict' | 'too_many_keys' | 'key_not_found' | 'last_key';

interface Refused {
  readonly keyId: string;
  readonly reason: ApiKeyRefusal;
  readonly message: string;
  /** With `repeated`: the key that the same request made before. */
  readonly existingId?: string;
}

export type ApiKeyCommand = MessageOf<{
  CreateApiKey: NewApiKey;
  DeleteApiKey: { readonly keyId: string };
  /** Sent at most once a day for a key. */
  NoteApiKeyUse: { readonly keyId: string; readonly usedAt: Millis };
}>;

/** Ends a session of the console before its time. */
export type SessionCommand = MessageOf<{ EndSession: { readonly sessionId: string; readonly expiresAt: Millis } }>;

export type SessionEvent = MessageOf<{
  SessionEnded: { readonly sessionId: string; readonly expiresAt: Millis };
  SessionEndRefused: { readonly sessionId: string; readonly reason: 'malformed'; readonly message: string };
}>;

export type ApiKeyEvent = MessageOf<{
  ApiKeyCreated: NewApiKey;
  ApiKeyCreateRefused: Refused;
  ApiKeyDeleted: { readonly keyId: string; readonly hash: string };
  ApiKeyDeleteRefused: Refused;
  ApiKeyUsed: { readonly keyId: string; readonly usedAt: Millis };
}>;
