import { groupSteps, meanOf, queryOf } from './spans.ts';

const none = {
  attempts: 0,
  failed_attempts: 0,
  parked: 0,
  mean_attempt_ms: null,
  slowest_attempt_ms: null,
  first_attempts: 0,
  mean_lag_ms: null,
  longest_lag_ms: null,
};
const some = (ts: number, attempts: number, mean: number, slowest: number) => ({
  ts,
  attempts,
  failed_attempts: 1,
  parked: 1,
  events: 2,
  mean_attempt_ms: mean,
  slowest_attempt_ms: slowest,
  first_attempts: 1,
  mean_lag_ms: mean,
  longest_lag_ms: mean,
});

test('steps are grouped from the newest back; means are weighted by attempts', () => {
  const [oldest, ...others] = groupSteps([{ ts: 0, ...none }, some(1, 3, 10, 20), some(2, 1, 50, 50)], 2);
  expect(oldest).toEqual({ ts: 0, ...none });
  expect(others).toEqual([
    {
      ts: 1,
      events: 4,
      runs: 0,
      failed_runs: 0,
      attempts: 4,
      failed_attempts: 2,
      parked: 2,
      mean_attempt_ms: 20,
      slowest_attempt_ms: 50,
      first_attempts: 2,
      mean_lag_ms: 30,
      longest_lag_ms: 50,
    },
  ]);
});

test('steps without an attempt have no mean duration, nor has their sum', () => {
  expect(
    groupSteps(
      [
        { ts: 0, ...none },
        { ts: 1, ...none },
      ],
      2,
    ),
  ).toMatchObject([none]);
});

test('a span is queried in whole steps up to now', () => {
  expect(queryOf('day', 1_000 * 3_600_000)).toEqual({ step: 'hour', from: 977 * 3_600_000 });
});

test('a mean of means is weighted by their counts; without counts there is none', () => {
  expect(
    meanOf([
      [3, 10],
      [0, null],
      [1, 50],
    ]),
  ).toBe(20);
  expect(meanOf([[0, null]])).toBeNull();
});
