import type { Family } from './family.ts';
import { Metrics } from './metrics.ts';

const runs: Family = {
  name: 'runs_total',
  type: 'counter',
  help: 'Runs.',
  labels: { kind: ['http', 'timer'], outcome: 'how it ended' },
};
const depth: Family = { name: 'depth', type: 'gauge', help: 'How deep\nit is: a\\b.', labels: {} };
const duration: Family = {
  name: 'duration_seconds',
  type: 'histogram',
  help: 'How long.',
  labels: { kind: [] },
  buckets: [0.5, 1],
};
const leftOut: Family = { name: 'left_out_total', type: 'counter', help: 'Left out.', labels: {} };

test('counts are shown by name, each family with its help and type', async () => {
  const metrics = new Metrics();
  metrics.count(runs, { outcome: 'well', kind: 'http' }).value += 2;
  metrics.count(runs, { kind: 'http', outcome: 'well' }).value++;
  metrics.count(runs, { kind: 'timer', outcome: 'a "b" \\ c\nd' }).value++;
  metrics.addReader((put) => put(depth, {}, 1.5));
  expect(await metrics.text()).toBe(
    [
      '# HELP depth How deep\\nit is: a\\\\b.',
      '# TYPE depth gauge',
      'depth 1.5',
      '# HELP runs_total Runs.',
      '# TYPE runs_total counter',
      'runs_total{kind="http",outcome="well"} 3',
      'runs_total{kind="timer",outcome="a \\"b\\" \\\\ c\\nd"} 1',
      '',
    ].join('\n'),
  );
});

test('a histogram has cumulative buckets with inclusive bounds, and ignores NaN', async () => {
  const metrics = new Metrics();
  const histogram = metrics.histogram(duration, { kind: 'a' });
  for (const value of [0, 0.5, 0.75, 3, Number.NaN]) histogram.observe(value);
  expect((await metrics.text()).split('\n').slice(2, -1)).toEqual([
    'duration_seconds_bucket{kind="a",le="0.5"} 2',
    'duration_seconds_bucket{kind="a",le="1"} 3',
    'duration_seconds_bucket{kind="a",le="+Inf"} 4',
    'duration_seconds_sum{kind="a"} 4.25',
    'duration_seconds_count{kind="a"} 4',
  ]);
});

test('missing, additional or misnamed labels throw', () => {
  const metrics = new Metrics();
  const wrong: readonly Readonly<Record<string, string>>[] = [{}, { kind: 'http' }, { kind: 'http', other: '' }];
  for (const labels of wrong)
    expect(() => metrics.count(runs, labels)).toThrow('runs_total has the labels kind, outcome');
});

test('a failed reading is left out completely and counted, and the others are shown', async () => {
  const metrics = new Metrics({ leftOut });
  metrics.addReader(async (put) => {
    put(depth, {}, 1);
    await Promise.reject(new Error('the log is away'));
  });
  metrics.addReader((put) => put(runs, { kind: 'http', outcome: 'well' }, 7));
  const text = await metrics.text();
  expect(text).not.toContain('depth');
  expect(text).toContain('runs_total{kind="http",outcome="well"} 7\n');
  expect(text).toContain('left_out_total 1\n');
});

test('a hanging reading is not awaited, and not started again until it has ended', async () => {
  const metrics = new Metrics({ leftOut, readMs: 10 });
  const hanging = Promise.withResolvers<void>();
  let calls = 0;
  metrics.addReader(async (put) => {
    calls++;
    await hanging.promise;
    put(depth, {}, calls);
  });
  for (let asked = 1; asked <= 3; asked++) expect(await metrics.text()).toContain(`left_out_total ${asked}\n`);
  expect(calls).toBe(1);
  hanging.resolve();
  await new Promise(setImmediate);
  expect(await metrics.text()).toContain('depth 2\n');
});

test('concurrent calls share one answer', async () => {
  const metrics = new Metrics();
  let calls = 0;
  metrics.addReader(async (put) => {
    await new Promise(setImmediate);
    put(depth, {}, ++calls);
  });
  const [first, second] = await Promise.all([metrics.text(), metrics.text()]);
  expect([second, calls]).toEqual([first, 1]);
  expect(await metrics.text()).toContain('depth 2\n');
});

test('a family has a bounded number of series for any number of label values, and the sum stays complete', async () => {
  const metrics = new Metrics();
  for (let i = 0; i < 20_000; i++) metrics.count(runs, { kind: 'http', outcome: String(i) }).value++;
  const samples = (await metrics.text()).split('\n').filter((line) => line.startsWith('runs_total{'));
  expect(samples).toHaveLength(5_001);
  expect(samples.at(-1)).toBe('runs_total{kind="other",outcome="other"} 15000');
});
