import { latencyOf, meanOf } from './latency.ts';

const took = (duration_ms: number, outcome: 'delivered' | 'failed' = 'delivered') => ({ duration_ms, outcome });

test('failed attempts are counted, and half took the median or less', () => {
  expect(latencyOf([took(30), took(10, 'failed'), took(20), took(90)])).toEqual({
    failed: 1,
    medianMs: 20,
    slowestMs: 90,
  });
});

test('of nothing, nothing is said', () => expect(latencyOf([])).toEqual({ failed: 0, medianMs: 0, slowestMs: 0 }));

test('the mean of many steps weighs each by its attempts; without an attempt there is none', () => {
  const step = (attempts: number, mean: number | null, slowest: number | null) => ({
    ...{ attempts, mean_attempt_ms: mean, slowest_attempt_ms: slowest },
  });
  expect(meanOf([step(3, 10, 20), step(0, null, null), step(1, 50, 50)])).toEqual({ meanMs: 20, slowestMs: 50 });
  expect(meanOf([step(0, null, null)])).toEqual({ meanMs: undefined, slowestMs: undefined });
});
