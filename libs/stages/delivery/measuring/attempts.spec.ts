import { Metrics } from '../../../primitives/metrics/metrics.ts';
import type { WebhookOutcome } from '../../../webhooks/webhook.ts';
import { defaultLimits } from '../delivery-limits.ts';
import { families } from '../../loop/measuring/families.ts';
import { FailingWebhooks } from '../failing/failing-webhooks.ts';
import { Lanes } from '../lanes/lanes.ts';
import { RetryQuota } from '../quotas/retry-quota.ts';
import { Attempts } from './attempts.ts';
import { reportDepths } from './depths.ts';

const answered = (status: number, durationMs: number): WebhookOutcome => ({
  kind: 'answered',
  status,
  answer: '',
  headers: {},
  durationMs,
  trace: {},
});

const shown = async (metrics: Metrics, name: string): Promise<readonly string[]> =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name) && !line.endsWith(' 0'));

test('attempts are timed, and counted by outcome and by standing of the receiver', async () => {
  const metrics = new Metrics();
  const attempts = new Attempts(metrics);
  attempts.countEnded('answering', answered(200, 40));
  attempts.countEnded('answering', answered(204, 60));
  attempts.countEnded('answering', answered(302, 5));
  attempts.countEnded('doubtful', {
    kind: 'failed',
    failure: 'dns',
    message: 'no such host',
    durationMs: 15,
    trace: {},
  });
  expect(await shown(metrics, 'wellspring_delivery_attempts_total{')).toEqual([
    'wellspring_delivery_attempts_total{outcome="delivered",standing="answering"} 2',
    'wellspring_delivery_attempts_total{outcome="rejected",standing="answering"} 1',
    'wellspring_delivery_attempts_total{outcome="dns",standing="doubtful"} 1',
  ]);
  expect(await shown(metrics, 'wellspring_delivery_attempt_duration_seconds_sum')).toEqual([
    'wellspring_delivery_attempt_duration_seconds_sum{outcome="delivered"} 0.1',
    'wellspring_delivery_attempt_duration_seconds_sum{outcome="failed"} 0.02',
  ]);
});

const failing = new FailingWebhooks({ now: Date.now, failingMs: 1, checkMs: 1_000 });

test('an attempt that its transform ended is counted as one of the outcomes that are declared', async () => {
  const metrics = new Metrics();
  const outcome = { kind: 'failed', failure: 'transform_failed', message: 'no', durationMs: 1, trace: {} } as const;
  new Attempts(metrics).countEnded('answering', outcome);
  const line = 'wellspring_delivery_attempts_total{outcome="transform_failed",standing="answering"} 1';
  expect(await shown(metrics, 'wellspring_delivery_attempts_total{')).toEqual([line]);
  expect(families.attempts.labels['outcome']).toContain('transform_failed');
});

test('waiting and running attempts are shown by kind and standing', async () => {
  const metrics = new Metrics();
  const lanes = new Lanes({ ...defaultLimits, firstPerWebhookMax: 2 });
  reportDepths(metrics, { lanes, retryQuota: new RetryQuota(defaultLimits), failing });
  const lane = lanes.laneOf({ workspace: 'o_1', webhookId: 'wh_1', url: 'http://127.0.0.1:9/' });
  for (let n = 0; n < 5; n++) lanes.enqueue(lane, 'first', { start: () => true });
  expect(await shown(metrics, 'wellspring_delivery_')).toEqual([
    'wellspring_delivery_in_flight{kind="first",standing="doubtful"} 2',
    'wellspring_delivery_waiting{kind="first"} 3',
  ]);
  lanes.attemptEnded(lane, 'first', 'answered');
  expect(await shown(metrics, 'wellspring_delivery_')).toEqual([
    'wellspring_delivery_in_flight{kind="first",standing="answering"} 2',
    'wellspring_delivery_waiting{kind="first"} 2',
  ]);
  lanes.close();
});
