import { decideRetention } from './decide.ts';
import type { RetentionMoved } from './messages.ts';

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
const now = 1_700_000_000_000;

const decide = (more: Partial<Parameters<typeof decideRetention>[0]> = {}): RetentionMoved | undefined =>
  decideRetention({ now, days: 90, last: undefined, waitedMs: 0, deployingSince: undefined, ...more });

test('it moves to as many days ago as are kept', () => {
  expect(decide()).toEqual({ before: now - 90 * dayMs, hooksBefore: now - 90 * dayMs, clock: now });
  expect(decide({ days: 1 })?.before).toBe(now - dayMs);
});

test('what is kept forever never moves', () => {
  expect(decide({ days: 0 })).toBeUndefined();
});

test('it moves by an hour at least, and never back', () => {
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

  test('is believed a day at a time, an hour after the last', () => {
    expect(decide({ last, now: years, waitedMs: hourMs - 1 })).toBeUndefined();
    const next = decide({ last, now: years, waitedMs: hourMs });
    expect(next).toMatchObject({ before: now - 89 * dayMs, clock: now + dayMs });
    expect(decide({ last: next, now: years, waitedMs: hourMs })?.clock).toBe(now + 2 * dayMs);
    expect(decide({ last: next, now: now + hourMs, waitedMs: hourMs })).toBeUndefined();
  });

  test('is believed at once when it is a day at most, or when nobody knows better', () => {
    expect(decide({ last, now: now + dayMs })?.clock).toBe(now + dayMs);
    expect(decide({ last: { before: 0, hooksBefore: 0 }, now: years })?.clock).toBe(years);
  });

  test('lets other settings take effect meanwhile, by the time that was believed last', () => {
    expect(decide({ last, now: years, days: 10 })).toMatchObject({ before: now - 10 * dayMs, clock: now });
    const size = { usedBytes: 101, bytesMax: 100, oldest: now - 30 * dayMs };
    expect(decide({ last, now: years, size })).toMatchObject({ before: now - 29 * dayMs, clock: now });
  });
});

describe('a log that is too large', () => {
  const size = (oldest: number, usedBytes = 101) => ({ days: 0, size: { usedBytes, bytesMax: 100, oldest } });

  test('loses the oldest day of many, an eighth of a few, an hour of the last ones, and nothing of the last', () => {
    expect(decide(size(now - 30 * dayMs))?.before).toBe(now - 29 * dayMs);
    expect(decide(size(now - 4 * dayMs))?.before).toBe(now - 3.5 * dayMs);
    expect(decide(size(now - 3 * hourMs))?.before).toBe(now - 2 * hourMs);
    expect(decide(size(now - 1.5 * hourMs))?.before).toBe(now - hourMs);
    const last = { before: now - 1.5 * hourMs, hooksBefore: 0 };
    expect(decide({ ...size(now - 1.5 * hourMs), last })).toBeUndefined();
  });

  test('loses whole milliseconds: others the log refuses', () => {
    const before = decide(size(now - 3 * dayMs - 1))?.before;
    expect(before).toBe(Math.floor(now - 3 * dayMs - 1 + (3 * dayMs + 1) / 8));
  });

  test('continues from the last fact, as long as it is too large', () => {
    const last = { before: now - 20 * dayMs, hooksBefore: 0 };
    expect(decide({ ...size(now - 30 * dayMs), last })?.before).toBe(now - 19 * dayMs);
    expect(decide({ ...size(now - 10 * dayMs), last })?.before).toBe(now - 9 * dayMs);
    expect(decide({ ...size(now - 30 * dayMs, 100), last })).toBeUndefined();
  });

  test('is cut by age all the same', () => {
    expect(decide({ ...size(now - 30 * dayMs), days: 7 })?.before).toBe(now - 7 * dayMs);
  });
});

test('outcomes of hooks stay for as long as a deploy under way may need them, whatever the clock of who wrote them said', () => {
  const began = now - 95 * dayMs;
  expect(decide({ deployingSince: began })).toMatchObject({ before: now - 90 * dayMs, hooksBefore: began - hourMs });
  const last = decide();
  expect(decide({ last, now: now + hourMs, deployingSince: began })?.hooksBefore).toBe(last?.hooksBefore);
  expect(decide({ last, now: now + hourMs, deployingSince: now })?.hooksBefore).toBe(now + hourMs - 90 * dayMs);
});
