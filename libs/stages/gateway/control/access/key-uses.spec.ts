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

function following(report: () => Promise<void> = () => Promise.resolve()) {
  const clock = { now: 10 * dayMs };
  const reported: number[] = [];
  const uses = new KeyUses({
    now: () => clock.now,
    report: (_key, usedAt) => {
      reported.push(usedAt);
      return report();
    },
  });
  return { clock, told: reported, uses };
}

test('knows the last use of a key to the minute at once, but writes it to the log only once a day', () => {
  const { clock, told: reported, uses } = following();
  expect(uses.lastUseOf(key(null))).toBe(null);
  for (let n = 0; n < 10_000; n++, clock.now += 15_000) uses.recordUse(key(null));
  expect(reported).toEqual([10 * dayMs, 11 * dayMs]);
  const lastUse = clock.now - 15_000;
  expect(uses.lastUseOf(key(null))).toBe(lastUse - (lastUse % minuteMs));
});

test('after a restart, takes the last use from the log and writes the next one only a day later', () => {
  const { clock, told: reported, uses } = following();
  const known = key(10 * dayMs - minuteMs);
  expect(uses.lastUseOf(known)).toBe(10 * dayMs - minuteMs);
  uses.recordUse(known);
  expect([reported, uses.lastUseOf(known)]).toEqual([[], 10 * dayMs]);
  clock.now += dayMs - minuteMs;
  uses.recordUse(known);
  expect(reported).toEqual([11 * dayMs - minuteMs]);
});

test('a use that could not be written is retried after a minute, not on each request', async () => {
  const { clock, told: reported, uses } = following(() => Promise.reject(new Error('away')));
  uses.recordUse(key(null));
  await new Promise(setImmediate);
  for (let n = 0; n < 5; n++) uses.recordUse(key(null));
  expect(reported).toHaveLength(1);
  clock.now += minuteMs;
  uses.recordUse(key(null));
  expect(reported).toHaveLength(2);
  await new Promise(setImmediate);
});

test('keeps a bounded number of keys in memory and drops the least recently used one', () => {
  const { uses } = following();
  const nth = (n: number): ApiKey => ({ ...key(null), keyId: `key_${n}` });
  for (let n = 0; n < 10_001; n++) uses.recordUse(nth(n));
  expect([uses.lastUseOf(nth(0)), uses.lastUseOf(nth(1))]).toEqual([null, 10 * dayMs]);
});
