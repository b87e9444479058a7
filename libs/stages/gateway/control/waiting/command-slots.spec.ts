import { CommandSlots } from './command-slots.ts';
import type { SlotKind } from './command-slots.ts';

const acquire = (slots: CommandSlots, kind: SlotKind, { workspace = 'o_1', times = 1 } = {}) =>
  Array.from({ length: times }, () => slots.acquire(kind, workspace));

test('a thousand callers can wait, one more is refused, and a caller that leaves makes room', () => {
  const slots = new CommandSlots();
  const leaving = ['o_1', 'o_2', 'o_3', 'o_4', 'o_5'].flatMap((workspace) =>
    acquire(slots, 'usual', { workspace, times: 200 }),
  );
  const more = () => acquire(slots, 'usual', { workspace: 'o_6' });
  expect(more).toThrow('Too many requests');
  leaving[0]?.();
  expect(more).not.toThrow();
});

test.each([
  ['usual', 200],
  ['installing', 16],
  ['deletesKey', 16],
  ['endsSession', 16],
] as const)('a workspace may have so many that are %s: %d, and leaves places to others', (kind, each) => {
  const slots = new CommandSlots();
  const [first] = acquire(slots, kind, { times: each });
  const more = () => acquire(slots, kind);
  expect(more).toThrow('Too many requests');
  expect(() => acquire(slots, kind, { workspace: 'o_2', times: each })).not.toThrow();
  first?.();
  expect(more).not.toThrow();
});

test('few callers can wait for packages, and they take no places of others', () => {
  const slots = new CommandSlots();
  for (const workspace of ['o_1', 'o_2', 'o_3', 'o_4']) acquire(slots, 'installing', { workspace, times: 16 });
  expect(() => acquire(slots, 'installing', { workspace: 'o_5' })).toThrow('packages of the npm registry');
  expect(() => acquire(slots, 'usual', { times: 200 })).not.toThrow();
});

test('a request that takes access away is not refused because of others that wait, nor because of sign-outs', () => {
  const slots = new CommandSlots();
  acquire(slots, 'usual', { times: 200 });
  acquire(slots, 'endsSession', { times: 16 });
  expect(() => acquire(slots, 'deletesKey')).not.toThrow();
});
