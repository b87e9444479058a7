import { messageOf } from '../../decider.fake.ts';
import type { Decided } from '../../message.ts';
import type { WorkspaceCommand, WorkspaceEvent } from '../messages.ts';
import { decideWorkspace, evolveWorkspaces, noWorkspaces } from '../workspaces.ts';
import type { Workspaces } from '../workspaces.ts';
import { keyIdOf, keysMax } from './api-keys.ts';
import type { ApiKeyEvent, NewApiKey } from './messages.ts';

const at = 1_000;

const asked = (hash: string, settings: Partial<NewApiKey> = {}): NewApiKey => ({
  keyId: keyIdOf(hash),
  userId: 'u_1',
  hash,
  hint: 'pd_abcd',
  name: 'CI',
  scopes: ['read', 'write'],
  expiresAt: null,
  ...settings,
});
const create = (hash: string, settings: Partial<NewApiKey> = {}) =>
  messageOf('CreateApiKey', asked(hash, settings)) as WorkspaceCommand;
const remove = (hash: string, workspace?: string) =>
  messageOf('DeleteApiKey', { keyId: keyIdOf(hash) }, workspace === undefined ? {} : { workspace }) as WorkspaceCommand;
const used = (hash: string, usedAt: number) =>
  messageOf('NoteApiKeyUse', { keyId: keyIdOf(hash), usedAt }) as WorkspaceCommand;

/** The state after the key `first` was added. */
function begun(): Workspaces {
  const added = messageOf('ApiKeyAdded', { hash: 'first', userId: 'u_1' }) as WorkspaceEvent;
  return evolveWorkspaces(noWorkspaces(), added);
}

/** Carries the command out, and gives what was decided. */
function carriedOut(state: Workspaces, command: WorkspaceCommand): readonly Decided<ApiKeyEvent>[] {
  const decided = decideWorkspace(state, command, at) as readonly Decided<ApiKeyEvent>[];
  for (const { type, data } of decided) evolveWorkspaces(state, messageOf(type, data) as WorkspaceEvent);
  return decided;
}

const told = (decided: readonly Decided<ApiKeyEvent>[]) =>
  decided.map(({ type, data }) => ('reason' in data ? `${type} ${data.reason}` : type));

test('a key is created once for a request, and refused for another one with the same Idempotency-Key', () => {
  const state = begun();
  expect(carriedOut(state, create('a'))).toEqual([{ type: 'ApiKeyCreated', data: asked('a') }]);
  expect(carriedOut(state, create('a'))).toMatchObject([
    { type: 'ApiKeyCreateRefused', data: { reason: 'repeated', existingId: keyIdOf('a') } },
  ]);
  expect(told(carriedOut(state, create('a', { name: 'Other' })))).toEqual(['ApiKeyCreateRefused idempotency_conflict']);
  carriedOut(state, remove('a'));
  expect(told(carriedOut(state, create('a')))).toEqual(['ApiKeyCreateRefused idempotency_conflict']);
});

test('a workspace has a bounded number of keys, and room again when one is deleted', () => {
  const state = begun();
  for (let n = 1; n < keysMax; n++) expect(told(carriedOut(state, create(`k${n}`)))).toEqual(['ApiKeyCreated']);
  expect(told(carriedOut(state, create('one more')))).toEqual(['ApiKeyCreateRefused too_many_keys']);
  carriedOut(state, remove('k7'));
  expect(told(carriedOut(state, create('one more')))).toEqual(['ApiKeyCreated']);
});

test('the last unexpired key with the right to write cannot be deleted', () => {
  const state = begun();
  carriedOut(state, create('reader', { scopes: ['read'] }));
  carriedOut(state, create('expired', { expiresAt: at }));
  expect(told(carriedOut(state, remove('first')))).toEqual(['ApiKeyDeleteRefused last_key']);
  expect(told(carriedOut(state, remove('expired')))).toEqual(['ApiKeyDeleted']);
  expect(told(carriedOut(state, remove('reader')))).toEqual(['ApiKeyDeleted']);
  carriedOut(state, create('writer', { scopes: ['write'], expiresAt: at + 1 }));
  expect(told(carriedOut(state, remove('first')))).toEqual(['ApiKeyDeleteRefused last_key']);
  carriedOut(state, create('second'));
  expect(carriedOut(state, remove('first'))).toEqual([
    { type: 'ApiKeyDeleted', data: { keyId: keyIdOf('first'), hash: 'first' } },
  ]);
  expect(told(carriedOut(state, remove('writer')))).toEqual(['ApiKeyDeleted']);
  expect(told(carriedOut(state, remove('second')))).toEqual(['ApiKeyDeleteRefused last_key']);
});

test('a key of another workspace, an unknown one and a deleted one are not found', () => {
  const state = begun();
  carriedOut(state, create('a'));
  const types = (command: WorkspaceCommand) => told(carriedOut(state, command));
  expect(types(remove('a', 'o_other'))).toEqual(['ApiKeyDeleteRefused key_not_found']);
  expect(types(remove('unknown'))).toEqual(['ApiKeyDeleteRefused key_not_found']);
  expect(types(remove('a'))).toEqual(['ApiKeyDeleted']);
  expect(types(remove('a'))).toEqual(['ApiKeyDeleteRefused key_not_found']);
});

test('a use is recorded once, and never for a deleted key', () => {
  const state = begun();
  expect(told(carriedOut(state, used('first', 60_000)))).toEqual(['ApiKeyUsed']);
  expect(carriedOut(state, used('first', 60_000))).toEqual([]);
  expect(carriedOut(state, used('unknown', 60_000))).toEqual([]);
});
