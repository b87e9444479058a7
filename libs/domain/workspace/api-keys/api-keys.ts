// Decides commands about API keys: how many a workspace can have, and which can be deleted.
import { derivedId } from '../../id.ts';
import type { Decided, Millis } from '../../message.ts';
import type { ApiKeyCommand, ApiKeyEvent, ApiKeyRefusal, KeySettings, NewApiKey } from './messages.ts';

/** The most keys of a workspace: each takes some 300 bytes in every gateway, and nobody looks through a longer list. */
export const keysMax = 100;

interface ApiKeyState extends KeySettings {
  readonly hash: string;
  /** 0: no use was reported. */
  usedAt: Millis;
}

/** By workspace, then by id. */
export type ApiKeysByWorkspace = Map<string, Map<string, ApiKeyState>>;

/** A key's id follows from its hash, so that keys that earlier versions added have one too. */
export const keyIdOf = (hash: string): string => derivedId('key', hash);

/** The settings of the first key, which is in a file of the service: it can read and write everything. */
export const firstKeySettings: KeySettings = { name: 'First API key', scopes: ['read', 'write'], expiresAt: null };

/** Updates `keys` in place. */
export function evolveApiKeys(keys: ApiKeysByWorkspace, event: ApiKeyEvent): void {
  const { workspace, data } = event;
  const workspaceKeys = keys.get(workspace) ?? new Map<string, ApiKeyState>();
  keys.set(workspace, workspaceKeys);
  switch (event.type) {
    case 'ApiKeyCreated':
      workspaceKeys.set(data.keyId, newApiKeyState(event.data));
      return;
    case 'ApiKeyDeleted':
      workspaceKeys.delete(data.keyId);
      return;
    case 'ApiKeyUsed': {
      const key = workspaceKeys.get(data.keyId);
      if (key !== undefined) key.usedAt = event.data.usedAt;
      return;
    }
    case 'ApiKeyCreateRefused':
    case 'ApiKeyDeleteRefused':
      return;
  }
}

export const newApiKeyState = ({
  hash,
  name,
  scopes,
  expiresAt,
}: KeySettings & Pick<NewApiKey, 'hash'>): ApiKeyState => ({
  hash,
  name,
  scopes,
  expiresAt,
  usedAt: 0,
});

export interface KeyContext {
  readonly keys: ApiKeysByWorkspace;
  /** Whether a key with this hash was ever added, in any workspace. */
  readonly wasAdded: (hash: string) => boolean;
  readonly at: Millis;
}

export function decideApiKey(context: KeyContext, command: ApiKeyCommand): readonly Decided<ApiKeyEvent>[] {
  const workspaceKeys = context.keys.get(command.workspace) ?? new Map<string, ApiKeyState>();
  switch (command.type) {
    case 'CreateApiKey':
      return [decideCreate(workspaceKeys, context, command.data)];
    case 'DeleteApiKey':
      return [decideDelete(workspaceKeys, context, command.data.keyId)];
    case 'NoteApiKeyUse': {
      const { keyId, usedAt } = command.data;
      const key = workspaceKeys.get(keyId);
      return key === undefined || key.usedAt >= usedAt ? [] : [{ type: 'ApiKeyUsed', data: { keyId, usedAt } }];
    }
  }
}

type WorkspaceKeys = ReadonlyMap<string, ApiKeyState>;

function decideCreate(workspaceKeys: WorkspaceKeys, { wasAdded }: KeyContext, newKey: NewApiKey): Decided<ApiKeyEvent> {
  const refused = (reason: ApiKeyRefusal, message: string, extra: { existingId?: string } = {}) =>
    ({ type: 'ApiKeyCreateRefused', data: { keyId: newKey.keyId, reason, message, ...extra } }) as const;
  // Only a repeated Idempotency-Key gives the same key again.
  const existing = workspaceKeys.get(newKey.keyId);
  if (existing !== undefined && settingsOf(existing) === settingsOf(newKey))
    return refused('repeated', 'The same request has made this API key before.', { existingId: newKey.keyId });
  if (existing !== undefined)
    return refused('idempotency_conflict', 'Another request was sent with this Idempotency-Key before.');
  if (wasAdded(newKey.hash))
    return refused('idempotency_conflict', 'The API key that was made with this Idempotency-Key is deleted.');
  if (workspaceKeys.size >= keysMax)
    return refused('too_many_keys', `The workspace has ${keysMax} API keys: delete one of them first.`);
  return { type: 'ApiKeyCreated', data: newKey };
}

function decideDelete(workspaceKeys: WorkspaceKeys, { at }: KeyContext, keyId: string): Decided<ApiKeyEvent> {
  const refused = (reason: ApiKeyRefusal, message: string) =>
    ({ type: 'ApiKeyDeleteRefused', data: { keyId, reason, message } }) as const;
  const key = workspaceKeys.get(keyId);
  if (key === undefined) return refused('key_not_found', `There is no API key ${keyId}.`);
  const others = [...workspaceKeys].filter(([id]) => id !== keyId).map(([, other]) => other);
  const isLast = (isAllowed: typeof mayWrite): boolean =>
    isAllowed(key, at) && !others.some((other) => isAllowed(other, at));
  if (isLast(mayWrite) || isLast(mayDoAll))
    return refused('last_key', 'This is the last API key with the scopes read and write: create another one first.');
  return { type: 'ApiKeyDeleted', data: { keyId, hash: key.hash } };
}

const mayWrite = ({ scopes, expiresAt }: KeySettings, at: Millis): boolean =>
  scopes.includes('write') && (expiresAt === null || expiresAt > at);

/** Whether the key can read and write: whoever has it can create every other key. */
const mayDoAll = (key: KeySettings, at: Millis): boolean => mayWrite(key, at) && key.scopes.includes('read');

const settingsOf = ({ name, scopes, expiresAt }: KeySettings): string => JSON.stringify([name, scopes, expiresAt]);
