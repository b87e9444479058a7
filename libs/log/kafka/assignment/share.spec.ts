import fc from 'fast-check';
import { assign, evenShares, type Member } from './share.ts';

const membersOf = (members: Readonly<Record<string, readonly number[]>>): readonly Member[] =>
  Object.entries(members).map(([id, has]) => ({ id, has }));
const plain = (shares: ReadonlyMap<string, readonly number[]>): Record<string, readonly number[]> =>
  Object.fromEntries(shares);

test('members without partitions get even shares', () => {
  expect(plain(evenShares(membersOf({ a: [], b: [], c: [] }), 8))).toEqual({ a: [0, 3, 6], b: [1, 4, 7], c: [2, 5] });
});

test('a new member takes its share from members that have more, and nothing else moves', () => {
  const shares = evenShares(membersOf({ a: [0, 1, 2, 3], b: [4, 5, 6, 7], c: [] }), 8);
  expect(plain(shares)).toEqual({ a: [0, 1, 2], b: [4, 5, 6], c: [3, 7] });
});

test('a member that is gone leaves its partitions to the others, and they keep what they have', () => {
  expect(plain(evenShares(membersOf({ a: [0, 1, 2], c: [6, 7] }), 8))).toEqual({ a: [0, 1, 2, 4], c: [3, 5, 6, 7] });
});

test('a moving partition is assigned to nobody until its present owner has given it up', () => {
  const initial = membersOf({ a: [0, 1, 2, 3], b: [] });
  expect(plain(assign(initial, 4))).toEqual({ a: [0, 1], b: [] });
  expect(plain(assign(membersOf({ a: [0, 1], b: [] }), 4))).toEqual({ a: [0, 1], b: [2, 3] });
});

test('if two members claim the same partition, one keeps it', () => {
  expect(plain(assign(membersOf({ a: [0, 1], b: [1, 2] }), 3))).toEqual({ a: [0, 1], b: [2] });
});

const anyMembers = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 })
  .chain((names) =>
    fc.tuple(...names.map((id) => fc.record({ id: fc.constant(id), has: fc.array(fc.integer({ min: 0, max: 20 })) }))),
  );

test('whatever members claim, shares are even, and every partition has exactly one member', () => {
  fc.assert(
    fc.property(anyMembers, fc.integer({ min: 1, max: 16 }), (members, partitions) => {
      const shares = [...evenShares(members, partitions).values()];
      expect(shares.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: partitions }, (_, i) => i));
      const sizes = shares.map((share) => share.length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
});

test('members that follow their assignments are stable after two rounds, with every partition assigned', () => {
  fc.assert(
    fc.property(anyMembers, fc.integer({ min: 1, max: 16 }), (members, partitions) => {
      const join = (now: readonly Member[]): readonly Member[] =>
        [...assign(now, partitions)].map(([id, has]) => ({ id, has }));
      const once = join(members);
      const twice = join(once);
      expect(join(twice)).toEqual(twice);
      expect(twice.flatMap(({ has }) => has)).toHaveLength(partitions);
    }),
  );
});
