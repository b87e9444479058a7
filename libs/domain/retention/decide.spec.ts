import { decideRetention } from './decide.ts';
import type { RetentionMoved } from './messages.ts';

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
const now = 1_700_000_000_000;

const decide = (more: Partial<Parameters<typeof decideRetention>[0]> = {}): RetentionMoved | undefined =>
  decideRetention({ now, days: 90, last: undefined, deployingSince: undefined, ...more });

test('it moves to as many days ago as are kept', () => {
  expect(decide()).toEqual({ before: now - 90 * dayMs, hooksBefore: now - 90 * dayMs });
  expect(decide({ days: 1 })?.before).toBe(now - dayMs);
});

test('what is kept for ever never moves', () => {
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

test('outcomes of hooks stay for as long as a deploy under way may need them, whatever the clock of who wrote them said', () => {
  const began = now - 95 * dayMs;
  expect(decide({ deployingSince: began })).toEqual({ before: now - 90 * dayMs, hooksBefore: began - hourMs });
  const last = decide();
  expect(decide({ last, now: now + hourMs, deployingSince: began })?.hooksBefore).toBe(last?.hooksBefore);
  expect(decide({ last, now: now + hourMs, deployingSince: now })?.hooksBefore).toBe(now + hourMs - 90 * dayMs);
});
