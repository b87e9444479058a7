// A well-formed record of every message type about API keys.
import type { ApiKeyCommand, ApiKeyEvent, SessionCommand, SessionEvent } from './messages.ts';

type DataOf<M extends { readonly type: string; readonly data: unknown }> = {
  readonly [Type in M['type']]: Extract<M, { readonly type: Type }>['data'];
};

const created = {
  keyId: 'key_1',
  userId: 'u_1',
  hash: 'h',
  hint: 'pd_abcd',
  name: 'n',
  ...({ scopes: ['read', 'write'], expiresAt: 1 } as const),
};
const session = { sessionId: 's', expiresAt: 1 };
const used = { keyId: 'key_1', usedAt: 1 };
const refused = { keyId: 'key_1', reason: 'repeated', message: 'm', existingId: 'key_1' } as const;

export const apiKeySamples: {
  readonly commands: DataOf<ApiKeyCommand | SessionCommand>;
  readonly workspaces: DataOf<ApiKeyEvent | SessionEvent>;
} = {
  commands: { CreateApiKey: created, DeleteApiKey: { keyId: 'key_1' }, NoteApiKeyUse: used, EndSession: session },
  workspaces: {
    ApiKeyCreated: created,
    ApiKeyCreateRefused: refused,
    ApiKeyDeleted: { keyId: 'key_1', hash: 'h' },
    ApiKeyDeleteRefused: refused,
    ApiKeyUsed: used,
    SessionEnded: session,
    SessionEndRefused: { sessionId: 's', reason: 'malformed', message: 'm' },
  },
};
