import { latencyOf } from './latency.ts';

const took = (duration_ms: number, outcome: 'delivered' | 'failed' = 'delivered') => ({ duration_ms, outcome });

test('failed attempts are counted, and the median and the slowest are taken over all attempts', () => {
  expect(latencyOf([took(30), took(10, 'failed'), took(20), took(90)])).toEqual({
    failed: 1,
    medianMs: 20,
    slowestMs: 90,
  });
});

test('without attempts nothing is shown', () =>
  expect(latencyOf([])).toEqual({ failed: 0, medianMs: 0, slowestMs: 0 }));
