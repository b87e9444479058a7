import { CommandPlaces } from './command-places.ts';
import type { PlaceKind } from './command-places.ts';

const take = (places: CommandPlaces, kind: PlaceKind, { workspace = 'o_1', times = 1 } = {}) =>
  Array.from({ length: times }, () => places.take(kind, workspace));

test('a thousand callers can wait, one more is refused, and a caller that leaves makes room', () => {
  const places = new CommandPlaces();
  const leaving = ['o_1', 'o_2', 'o_3', 'o_4', 'o_5'].flatMap((workspace) =>
    take(places, 'usual', { workspace, times: 200 }),
  );
  const more = () => take(places, 'usual', { workspace: 'o_6' });
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
  const places = new CommandPlaces();
  const [first] = take(places, kind, { times: each });
  const more = () => take(places, kind);
  expect(more).toThrow('Too many requests');
  expect(() => take(places, kind, { workspace: 'o_2', times: each })).not.toThrow();
  first?.();
  expect(more).not.toThrow();
});

test('few callers can wait for packages, and they take no places of others', () => {
  const places = new CommandPlaces();
  for (const workspace of ['o_1', 'o_2', 'o_3', 'o_4']) take(places, 'installing', { workspace, times: 16 });
  expect(() => take(places, 'installing', { workspace: 'o_5' })).toThrow('packages of the npm registry');
  expect(() => take(places, 'usual', { times: 200 })).not.toThrow();
});

test('a request that takes access away is not refused because of others that wait, nor because of sign-outs', () => {
  const places = new CommandPlaces();
  take(places, 'usual', { times: 200 });
  take(places, 'endsSession', { times: 16 });
  expect(() => take(places, 'deletesKey')).not.toThrow();
});
