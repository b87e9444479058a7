import { decideRetention } from './decide.ts';
import type { RetentionMoved } from './messages.ts';

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
const now = 1_700_000_000_000;

const decide = (more: Partial<Parameters<typeof decideRetention>[0]> = {}): RetentionMoved | undefined =>
  decideRetention({ now, days: 90, last: undefined, waitedMs: 0, deployingSince: undefined, ...more });

test('the limit moves to the number of days kept before now', () => {
  expect(decide()).toEqual({ before: now - 90 * dayMs, hooksBefore: now - 90 * dayMs, clock: now });
  expect(decide({ days: 1 })?.before).toBe(now - dayMs);
});

test('the limit never moves when everything is kept forever', () => {
  expect(decide({ days: 0 })).toBeUndefined();
});

test('the limit moves by at least an hour, and never back', () => {
  const last = decide();
  expect(decide({ last })).toBeUndefined();
  expect(decide({ last, now: now + hourMs - 1 })).toBeUndefined();
  expect(decide({ last, now: now + hourMs })?.before).toBe(now + hourMs - 90 * dayMs);
  expect(decide({ last, days: 91 })).toBeUndefined();
  expect(decide({ last, now: 0 })).toBeUndefined();
});

describe('a clock that is far beyond the last fact', () => {
  const last: RetentionMoved = { before: now - 90 * dayMs, hooksBefore: 0, clock: now };
  const years = now + 3_650 * dayMs;

  test('is followed by one day at a time, an hour after the last move', () => {
    expect(decide({ last, now: years, waitedMs: hourMs - 1 })).toBeUndefined();
    const next = decide({ last, now: years, waitedMs: hourMs });
    expect(next).toMatchObject({ before: now - 89 * dayMs, clock: now + dayMs });
    expect(decide({ last: next, now: years, waitedMs: hourMs })?.clock).toBe(now + 2 * dayMs);
    expect(decide({ last: next, now: now + hourMs, waitedMs: hourMs })).toBeUndefined();
  });

  test('is followed at once when it is at most a day ahead, or when no earlier clock is known', () => {
    expect(decide({ last, now: now + dayMs })?.clock).toBe(now + dayMs);
    expect(decide({ last: { before: 0, hooksBefore: 0 }, now: years })?.clock).toBe(years);
  });

  test('does not delay changes of settings, which apply by the last clock that was accepted', () => {
    expect(decide({ last, now: years, days: 10 })).toMatchObject({ before: now - 10 * dayMs, clock: now });
    const size = { usedBytes: 101, bytesMax: 100, oldest: now - 30 * dayMs };
    expect(decide({ last, now: years, size })).toMatchObject({ before: now - 29 * dayMs, clock: now });
  });

  test('deletes nothing of the last hour of a log that is too large, nor of what is still to come', () => {
    const size = { usedBytes: 101, bytesMax: 100, oldest: now - 3 * hourMs };
    const next = decide({ last, now: years, size });
    expect(next?.before).toBe(now - 2 * hourMs);
    expect(decide({ last: { ...last, ...next }, now: years, size })?.before).toBe(now - hourMs);
    expect(decide({ last: { ...last, before: now - hourMs }, now: years, size })).toBeUndefined();
  });
});

describe('a log that is too large', () => {
  const size = (oldest: number, usedBytes = 101) => ({ days: 0, size: { usedBytes, bytesMax: 100, oldest } });

  test('loses the oldest day of many, an eighth of a few, an hour of a few hours, nothing of the last hour', () => {
    expect(decide(size(now - 30 * dayMs))?.before).toBe(now - 29 * dayMs);
    expect(decide(size(now - 4 * dayMs))?.before).toBe(now - 3.5 * dayMs);
    expect(decide(size(now - 3 * hourMs))?.before).toBe(now - 2 * hourMs);
    expect(decide(size(now - 1.5 * hourMs))?.before).toBe(now - hourMs);
    const last = { before: now - 1.5 * hourMs, hooksBefore: 0 };
    expect(decide({ ...size(now - 1.5 * hourMs), last })).toBeUndefined();
  });

  test('is cut at whole milliseconds, since the log refuses fractions', () => {
    const before = decide(size(now - 3 * dayMs - 1))?.before;
    expect(before).toBe(Math.floor(now - 3 * dayMs - 1 + (3 * dayMs + 1) / 8));
  });

  test('is cut further from the last limit as long as it is too large', () => {
    const last = { before: now - 20 * dayMs, hooksBefore: 0 };
    expect(decide({ ...size(now - 30 * dayMs), last })?.before).toBe(now - 19 * dayMs);
    expect(decide({ ...size(now - 10 * dayMs), last })?.before).toBe(now - 9 * dayMs);
    expect(decide({ ...size(now - 30 * dayMs, 100), last })).toBeUndefined();
  });

  test('is still cut by age', () => {
    expect(decide({ ...size(now - 30 * dayMs), days: 7 })?.before).toBe(now - 7 * dayMs);
  });
});

test('outcomes of hooks are kept while a running deploy may need them, with an hour to spare for other clocks', () => {
  const began = now - 95 * dayMs;
  expect(decide({ deployingSince: began })).toMatchObject({ before: now - 90 * dayMs, hooksBefore: began - hourMs });
  const last = decide();
  expect(decide({ last, now: now + hourMs, deployingSince: began })?.hooksBefore).toBe(last?.hooksBefore);
  expect(decide({ last, now: now + hourMs, deployingSince: now })?.hooksBefore).toBe(now + hourMs - 90 * dayMs);
});
