// Only those db writes of a guest are accepted that can be stored.
import { defaultLimits } from '../../sandbox-limits.ts';
import { DbWrites } from './db-writes.ts';

const writes = (guest: Partial<typeof defaultLimits.guest> = {}): DbWrites =>
  new DbWrites({ ...defaultLimits.guest, ...guest });

test('the newest value of each key is given once, in the order of the latest writes', () => {
  const db = writes();
  for (const [key, text] of [
    ['a', '1'],
    ['b', '2'],
    ['a', null],
  ] as const)
    expect(db.add(key, text)).toBe(true);
  expect(db.take()).toEqual([
    ['b', '2'],
    ['a', null],
  ]);
  expect(db.take()).toEqual([]);
});

test.each([
  ['no JSON', 'k', 'nothing'],
  ['undefined', 'k', 'undefined'],
  ['nested too deep', 'k', '['.repeat(24_000) + ']'.repeat(24_000)],
  ['too long', 'k', `"${'x'.repeat(70_000)}"`],
  ['under a key that is too long', 'k'.repeat(10_000), '1'],
])('a text that is %s is left out', (_name, key, text) => {
  const db = writes();
  expect(db.add(key, text)).toBe(false);
  expect(db.take()).toEqual([]);
});

test('everything is bounded in number and size, including the names of removed keys', () => {
  const many = writes({ dbWritesMax: 5 });
  const accepted = Array.from({ length: 20 }, (_, n) => many.add(`k${n}`, '1')).filter(Boolean);
  expect(accepted).toHaveLength(10);
  const large = writes({ dbBytes: 1_000 });
  const removed = Array.from({ length: 100 }, (_, n) => large.add(`${n}`.padStart(100), null)).filter(Boolean);
  expect(removed).toHaveLength(40);
});
