import { jest } from '@jest/globals';
import { IsolateTurns } from './isolate-turns.ts';

const limitMs = 1_000;
let processMs: number;
let queuedMs: number;
let turns: IsolateTurns;

beforeEach(() => {
  jest.useFakeTimers();
  processMs = 0;
  queuedMs = 0;
  turns = new IsolateTurns(
    () => queuedMs,
    () => processMs,
  );
});
afterEach(() => jest.useRealTimers());

/** Advances the clock by `ms` and the processor time by `busyMs`. */
function pass(ms: number, busyMs = ms): void {
  jest.advanceTimersByTime(ms);
  processMs += busyMs;
}

test('a turn is overdue once it has computed for longer than its limit', () => {
  const turn = turns.begin(7, limitMs);
  pass(limitMs);
  expect(turns.overdueTurn()).toBeUndefined();
  pass(1);
  expect(turns.overdueTurn()).toBe(turn);
});

test('processor time used by others does not count against a turn, but the wait is bounded', () => {
  const turn = turns.begin(7, limitMs);
  pass(4_900, 500);
  expect(turns.overdueTurn()).toBeUndefined();
  pass(200, 10);
  expect(turns.overdueTurn()).toBe(turn);
});

test('neither waiting for a processor nor the previous turn counts', () => {
  const first = turns.begin(7, limitMs);
  const second = turns.begin(8, limitMs);
  pass(900);
  turns.end(first);
  pass(900);
  queuedMs += 500;
  expect(turns.overdueTurn()).toBeUndefined();
  pass(700);
  expect(turns.overdueTurn()).toBe(second);
});
