import { recordOf } from '../../../domain/record/samples.fake.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { OutgoingOn } from '../../../log/log.ts';
import { Metrics } from '../../../primitives/metrics/metrics.ts';
import { StageMetrics } from './stage-metrics.ts';

const out = (type: string, data: object, at = 1): OutgoingOn =>
  ({ topic: 'runs', partition: 0, record: recordOf(type, data, { at }) }) as unknown as OutgoingOn;

const shown = async (metrics: Metrics, name: string): Promise<readonly string[]> =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name));

test('counts runs by kind and outcome, and measures the duration of those that started', async () => {
  const metrics = new Metrics();
  const stage = new StageMetrics(metrics, 'runtime');
  const run = (outcome: string, durationMs: number) => out('RunFinished', { kind: 'http', outcome, durationMs });
  stage.countAppended([run('succeeded', 4), run('succeeded', 6), run('failed', 2_000), run('refused', 0)]);
  expect(await shown(metrics, 'wellspring_runs_total{')).toEqual([
    'wellspring_runs_total{kind="http",outcome="succeeded"} 2',
    'wellspring_runs_total{kind="http",outcome="failed"} 1',
    'wellspring_runs_total{kind="http",outcome="refused"} 1',
  ]);
  expect(await shown(metrics, 'wellspring_run_duration_seconds_sum')).toEqual([
    'wellspring_run_duration_seconds_sum{kind="http"} 2.01',
  ]);
});

test('measures the latency of a delivery from the time in the event id, and never below zero', async () => {
  const metrics = new Metrics();
  const stage = new StageMetrics(metrics, 'delivery');
  const attempt = (outcome: string, number: number, at: number) =>
    out('DeliveryAttempted', { outcome, attempt: number, eventId: '1000-7' }, at);
  stage.countAppended([
    attempt('delivered', 1, 1_250),
    attempt('failed', 1, 9_000),
    attempt('delivered', 2, 3_000),
    attempt('delivered', 1, 900),
    out('DeliveryParked', { reason: 'gone' }),
  ]);
  const latencies = await shown(metrics, 'wellspring_delivery_latency_seconds');
  expect(latencies.filter((line) => !line.includes('_bucket'))).toEqual([
    'wellspring_delivery_latency_seconds_sum{attempt="first"} 0.25',
    'wellspring_delivery_latency_seconds_count{attempt="first"} 2',
    'wellspring_delivery_latency_seconds_sum{attempt="retry"} 2',
    'wellspring_delivery_latency_seconds_count{attempt="retry"} 1',
  ]);
  expect(await shown(metrics, 'wellspring_delivery_parked')).toEqual([
    'wellspring_delivery_parked_total{reason="attempts_exhausted"} 0',
    'wellspring_delivery_parked_total{reason="gone"} 1',
    'wellspring_delivery_parked_total{reason="too_many_waiting"} 0',
  ]);
});

test('parked deliveries are counted from 0 before there is one, so that the first is an increase', async () => {
  const metrics = new Metrics();
  for (const stage of ['runtime', 'delivery']) new StageMetrics(metrics, stage);
  const parked = await shown(metrics, 'wellspring_delivery_parked_total{');
  expect(parked.map((line) => line.split(' ')[1])).toEqual(['0', '0', '0']);
});

test('counts the records read per input, and the recoveries', async () => {
  const metrics = new Metrics();
  const stage = new StageMetrics(metrics, 'runtime');
  const page = (topic: string, count: number) =>
    Array.from({ length: count }, () => ({ topic, partition: 0, offset: 0 }) as StoredRecord);
  stage.countHandled(page('triggers', 3));
  stage.countHandled(page('sources', 1));
  stage.countHandled([]);
  stage.countHandled(page('triggers', 2));
  stage.countRecovery();
  expect(await shown(metrics, 'wellspring_stage_records_total{')).toEqual([
    'wellspring_stage_records_total{stage="runtime",topic="triggers"} 5',
    'wellspring_stage_records_total{stage="runtime",topic="sources"} 1',
  ]);
  expect(await shown(metrics, 'wellspring_stage_recoveries_total{')).toEqual([
    'wellspring_stage_recoveries_total{stage="runtime"} 1',
  ]);
});
