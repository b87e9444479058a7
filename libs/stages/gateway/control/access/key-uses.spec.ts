import type { ApiKey } from '../api-keys.ts';
import { KeyUses } from './key-uses.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const key = (usedAt: number | null): ApiKey => ({
  workspace: 'o_1',
  userId: 'u_1',
  keyId: 'key_1',
  name: 'CI',
  scopes: ['read'],
  expiresAt: null,
  hint: null,
  createdAt: 0,
  usedAt,
});

function following(tell: () => Promise<void> = () => Promise.resolve()) {
  const clock = { now: 10 * dayMs };
  const told: number[] = [];
  const uses = new KeyUses({
    now: () => clock.now,
    tell: (_key, usedAt) => {
      told.push(usedAt);
      return tell();
    },
  });
  return { clock, told, uses };
}

test('knows the last use of a key to the minute at once, but writes it to the log only once a day', () => {
  const { clock, told, uses } = following();
  expect(uses.lastUseOf(key(null))).toBe(null);
  for (let n = 0; n < 10_000; n++, clock.now += 15_000) uses.note(key(null));
  expect(told).toEqual([10 * dayMs, 11 * dayMs]);
  const lastUse = clock.now - 15_000;
  expect(uses.lastUseOf(key(null))).toBe(lastUse - (lastUse % minuteMs));
});

test('after a restart, takes the last use from the log and writes the next one only a day later', () => {
  const { clock, told, uses } = following();
  const known = key(10 * dayMs - minuteMs);
  expect(uses.lastUseOf(known)).toBe(10 * dayMs - minuteMs);
  uses.note(known);
  expect([told, uses.lastUseOf(known)]).toEqual([[], 10 * dayMs]);
  clock.now += dayMs - minuteMs;
  uses.note(known);
  expect(told).toEqual([11 * dayMs - minuteMs]);
});

test('a use that could not be written is retried after a minute, not on each request', async () => {
  const { clock, told, uses } = following(() => Promise.reject(new Error('away')));
  uses.note(key(null));
  await new Promise(setImmediate);
  for (let n = 0; n < 5; n++) uses.note(key(null));
  expect(told).toHaveLength(1);
  clock.now += minuteMs;
  uses.note(key(null));
  expect(told).toHaveLength(2);
  await new Promise(setImmediate);
});

test('keeps a bounded number of keys in memory and drops the least recently used one', () => {
  const { uses } = following();
  const nth = (n: number): ApiKey => ({ ...key(null), keyId: `key_${n}` });
  for (let n = 0; n < 10_001; n++) uses.note(nth(n));
  expect([uses.lastUseOf(nth(0)), uses.lastUseOf(nth(1))]).toEqual([null, 10 * dayMs]);
});
