import fc from 'fast-check';
import { foldEvents, messageOf } from '../decider.fake.ts';
import type { Envelope } from '../decider.fake.ts';
import type { Decided } from '../message.ts';
import type { KeyEvent, WorkspaceCommand, WorkspaceEvent } from './messages.ts';
import { decideWorkspace, evolveWorkspaces, isOwnerOf, noWorkspaces } from './workspaces.ts';
import type { Workspaces } from './workspaces.ts';

type Event = WorkspaceEvent | KeyEvent;

const at = 1_000;
const decided = (state: Workspaces, command: WorkspaceCommand) => decideWorkspace(state, command, at);
const owner = { name: 'Home', userId: 'u_1', username: 'ada', email: 'ada@example.com' };
const dataKey = { keyId: 'k1', wrapped: 'AAAA' };
const create = (apiKeyHash: string, envelope: Envelope = {}): WorkspaceCommand =>
  messageOf('CreateWorkspace', { ...owner, apiKeyHash, dataKey }, envelope);
const happened = ({ type, data }: Decided<Event>, workspace: string): Event =>
  messageOf(type, data, { workspace }) as Event;
const after = (commands: readonly WorkspaceCommand[]) =>
  commands.reduce((state, command) => {
    const events = decided(state, command).map((one) => happened(one, command.workspace));
    return foldEvents(state, evolveWorkspaces, events);
  }, noWorkspaces());

test('a new workspace gets its data key and its first API key', () => {
  expect(decided(noWorkspaces(), create('h1'))).toEqual([
    { type: 'WorkspaceCreated', data: owner },
    { type: 'DataKeyAdded', data: dataKey },
    { type: 'ApiKeyAdded', data: { hash: 'h1', userId: 'u_1' } },
  ]);
});

test('creating an existing workspace with the same key changes nothing', () => {
  expect(decided(after([create('h1')]), create('h1'))).toEqual([]);
});

test('a new key hash is added to an existing workspace, without a second data key', () => {
  expect(decided(after([create('h1')]), create('h2'))).toEqual([
    { type: 'ApiKeyAdded', data: { hash: 'h2', userId: 'u_1' } },
  ]);
});

test('a workspace is owned by itself and by its own users only', () => {
  const state = after([create('h1', { workspace: 'o_1' })]);
  const owns = (workspace: string) => ['o_1', 'u_1', 'u_2'].map((id) => isOwnerOf(state, workspace, id));
  expect([owns('o_1'), owns('o_2')]).toEqual([
    [true, true, false],
    [false, false, false],
  ]);
});

test('a key hash known in another workspace is not added', () => {
  const types = decided(after([create('h1')]), create('h1', { workspace: 'o_other' }));
  expect(types.map(({ type }) => type)).toEqual(['WorkspaceCreated', 'DataKeyAdded']);
});

test('a workspace whose data key was erased never gets another', () => {
  const erased = messageOf('DataKeyAdded', null) as unknown as KeyEvent;
  const state = foldEvents(noWorkspaces(), evolveWorkspaces, [erased]);
  expect(decided(state, create('h1')).map(({ type }) => type)).toEqual(['WorkspaceCreated', 'ApiKeyAdded']);
});

test('for any commands nothing is added twice, and repeating them all changes nothing', () => {
  const commands = fc.array(
    fc.record({ hash: fc.constantFrom('h1', 'h2', 'h3'), workspace: fc.constantFrom('o_1', 'o_2') }),
  );
  fc.assert(
    fc.property(commands, (requested) => {
      const all = requested.map(({ hash, workspace }) => create(hash, { workspace }));
      const state = after(all);
      for (const command of all) expect(decided(state, command)).toEqual([]);
      expect(after([...all, ...all])).toEqual(state);
    }),
  );
});
