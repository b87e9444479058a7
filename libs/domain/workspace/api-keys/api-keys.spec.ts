import { messageOf } from '../../decider.fake.ts';
import type { Decided } from '../../message.ts';
import type { WorkspaceCommand, WorkspaceEvent } from '../messages.ts';
import { decideWorkspace, evolveWorkspaces, noWorkspaces } from '../workspaces.ts';
import type { Workspaces } from '../workspaces.ts';
import { keyIdOf, keysMax } from './api-keys.ts';
import type { ApiKeyEvent, NewApiKey } from './messages.ts';

const at = 1_000;

const newKey = (hash: string, settings: Partial<NewApiKey> = {}): NewApiKey => ({
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
  messageOf('CreateApiKey', newKey(hash, settings)) as WorkspaceCommand;
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
function carryOut(state: Workspaces, command: WorkspaceCommand): readonly Decided<ApiKeyEvent>[] {
  const decided = decideWorkspace(state, command, at) as readonly Decided<ApiKeyEvent>[];
  for (const { type, data } of decided) evolveWorkspaces(state, messageOf(type, data) as WorkspaceEvent);
  return decided;
}

const outcomesOf = (decided: readonly Decided<ApiKeyEvent>[]) =>
  decided.map(({ type, data }) => ('reason' in data ? `${type} ${data.reason}` : type));

test('a key is created once for a request, and refused for another one with the same Idempotency-Key', () => {
  const state = begun();
  expect(carryOut(state, create('a'))).toEqual([{ type: 'ApiKeyCreated', data: newKey('a') }]);
  expect(carryOut(state, create('a'))).toMatchObject([
    { type: 'ApiKeyCreateRefused', data: { reason: 'repeated', existingId: keyIdOf('a') } },
  ]);
  expect(outcomesOf(carryOut(state, create('a', { name: 'Other' })))).toEqual([
    'ApiKeyCreateRefused idempotency_conflict',
  ]);
  carryOut(state, remove('a'));
  expect(outcomesOf(carryOut(state, create('a')))).toEqual(['ApiKeyCreateRefused idempotency_conflict']);
});

test('a workspace has a bounded number of keys, and room again when one is deleted', () => {
  const state = begun();
  for (let n = 1; n < keysMax; n++) expect(outcomesOf(carryOut(state, create(`k${n}`)))).toEqual(['ApiKeyCreated']);
  expect(outcomesOf(carryOut(state, create('one more')))).toEqual(['ApiKeyCreateRefused too_many_keys']);
  carryOut(state, remove('k7'));
  expect(outcomesOf(carryOut(state, create('one more')))).toEqual(['ApiKeyCreated']);
});

test('the last unexpired key with the right to write cannot be deleted', () => {
  const state = begun();
  carryOut(state, create('reader', { scopes: ['read'] }));
  carryOut(state, create('expired', { expiresAt: at }));
  expect(outcomesOf(carryOut(state, remove('first')))).toEqual(['ApiKeyDeleteRefused last_key']);
  expect(outcomesOf(carryOut(state, remove('expired')))).toEqual(['ApiKeyDeleted']);
  expect(outcomesOf(carryOut(state, remove('reader')))).toEqual(['ApiKeyDeleted']);
  carryOut(state, create('writer', { scopes: ['write'], expiresAt: at + 1 }));
  expect(outcomesOf(carryOut(state, remove('first')))).toEqual(['ApiKeyDeleteRefused last_key']);
  carryOut(state, create('second'));
  expect(carryOut(state, remove('first'))).toEqual([
    { type: 'ApiKeyDeleted', data: { keyId: keyIdOf('first'), hash: 'first' } },
  ]);
  expect(outcomesOf(carryOut(state, remove('writer')))).toEqual(['ApiKeyDeleted']);
  expect(outcomesOf(carryOut(state, remove('second')))).toEqual(['ApiKeyDeleteRefused last_key']);
});

test('a key of another workspace, an unknown one and a deleted one are not found', () => {
  const state = begun();
  carryOut(state, create('a'));
  const types = (command: WorkspaceCommand) => outcomesOf(carryOut(state, command));
  expect(types(remove('a', 'o_other'))).toEqual(['ApiKeyDeleteRefused key_not_found']);
  expect(types(remove('unknown'))).toEqual(['ApiKeyDeleteRefused key_not_found']);
  expect(types(remove('a'))).toEqual(['ApiKeyDeleted']);
  expect(types(remove('a'))).toEqual(['ApiKeyDeleteRefused key_not_found']);
});

test('a use is recorded once, and never for a deleted key', () => {
  const state = begun();
  expect(outcomesOf(carryOut(state, used('first', 60_000)))).toEqual(['ApiKeyUsed']);
  expect(carryOut(state, used('first', 60_000))).toEqual([]);
  expect(carryOut(state, used('unknown', 60_000))).toEqual([]);
});
