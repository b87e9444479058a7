import { gitHubDeliveries } from '../support/github.ts';
import {
  expectDelivered,
  expectedState,
  gitHubScenario,
  gitHubSecret,
  filteredChannel,
  postDelivery,
} from '../support/github-scenario.ts';
import { stageNames } from '../../libs/domain/flow.ts';
import { families } from '../../libs/stages/loop/measuring/families.ts';
import { withFixture } from '../support/fixture.ts';
import { expositionsOf, total } from '../support/metrics/exposition.ts';
import { verify } from '../support/receiver.ts';
import { until } from '../support/until.ts';

const deliveries = gitHubDeliveries(gitHubSecret);
/** How many ids the `unique` strategy remembers (docs/reference/component-api.md, "Dedupe"). */
const remembered = 100;

const fixture = withFixture();

test('each example payload of GitHub is delivered once, in order and signed, to its subscribers alone', async () => {
  const { client, sourceId, endpoint, signingKeys } = await gitHubScenario(fixture.product, fixture.receiver);
  for (const delivery of deliveries) expect(await postDelivery(endpoint, delivery)).toBe(200);
  await expectDelivered(fixture.receiver, deliveries);
  for (const received of fixture.receiver.requestsTo('/all')) verify(signingKeys.all, received);
  for (const received of fixture.receiver.requestsTo('/one')) verify(signingKeys.one, received);
  expect(() => verify(signingKeys.one, fixture.receiver.requestsTo('/all')[0] as never)).toThrow();

  const forged = deliveries[0] as (typeof deliveries)[0];
  expect(
    await postDelivery(endpoint, { ...forged, headers: { ...forged.headers, 'x-hub-signature-256': 'sha256=00' } }),
  ).toBe(401);
  for (const delivery of deliveries.slice(-remembered)) expect(await postDelivery(endpoint, delivery)).toBe(200);
  const last = { ...forged, id: 'one-more', headers: { ...forged.headers, 'x-github-delivery': 'one-more' } };
  expect(await postDelivery(endpoint, last)).toBe(200);
  await expectDelivered(fixture.receiver, [...deliveries, last]);
  expect(fixture.receiver.requestsTo('/all')).toHaveLength(deliveries.length + 1);

  const response = await fetch(endpoint);
  expect(await response.json()).toEqual(expectedState([...deliveries, last]));
  const summaries = await client.eventSummaries(sourceId, { limit: 5, event_name: filteredChannel, expand: 'event' });
  expect(summaries.data.map(({ metadata }) => metadata.name)).toEqual(Array(5).fill(filteredChannel));
}, 180_000);

describe('the metrics of its processes', () => {
  const read = () => expositionsOf(fixture.product);
  /** An attempt is counted shortly after the receiver has answered, and its latency once it is on the log. */
  const hasCounted = async (deliveredCount: number): Promise<boolean> => {
    const expositions = await read();
    const counts = [
      total(expositions, 'wellspring_delivery_attempts_total', { outcome: 'delivered' }),
      total(expositions, 'wellspring_delivery_latency_seconds_count'),
    ];
    return counts.every((count) => count >= deliveredCount) && total(expositions, 'wellspring_stage_lag_records') === 0;
  };
  /** Nothing was parked. */
  const absent: readonly string[] = [families.parked.name];

  test('have counted every delivery, event, run, request and trigger', async () => {
    const receivedCount = fixture.receiver.requestsTo('/all').length + fixture.receiver.requestsTo('/one').length;
    await until('every stage to have read everything', () => hasCounted(receivedCount), 30_000);
    const expositions = await read();
    expect(total(expositions, 'wellspring_delivery_attempts_total', { outcome: 'delivered' })).toBe(receivedCount);
    expect(total(expositions, 'wellspring_delivery_latency_seconds_count')).toBe(receivedCount);
    expect(total(expositions, 'wellspring_delivery_latency_seconds_sum')).toBeGreaterThan(0);
    const posted = deliveries.length + 1;
    expect(total(expositions, 'wellspring_events_emitted_total')).toBe(posted);
    expect(total(expositions, 'wellspring_runs_total', { kind: 'http', outcome: 'succeeded' })).toBeGreaterThan(posted);
    expect(total(expositions, 'wellspring_run_duration_seconds_sum', { kind: 'http' })).toBeGreaterThan(0);
    const posts = { route: '/e/:endpointKey', method: 'POST', status: '2xx' };
    expect(total(expositions, 'wellspring_http_requests_total', posts)).toBeGreaterThanOrEqual(posted);
    expect(
      total(expositions, 'wellspring_stage_records_total', { stage: 'runtime', topic: 'triggers' }),
    ).toBeGreaterThan(posted);
  });

  test('show that every stage is healthy, has all its partitions and has no work left', async () => {
    const expositions = await read();
    expect(total(expositions, 'wellspring_stage_healthy')).toBe(stageNames.length);
    expect(total(expositions, 'wellspring_stage_loop_age_seconds')).toBeLessThan(30);
    for (const stage of ['scheduler', 'runtime', 'delivery', 'projection'])
      expect(total(expositions, 'wellspring_stage_partitions', { stage })).toBe(4);
    for (const stage of ['lifecycle', 'audit'])
      expect(total(expositions, 'wellspring_stage_partitions', { stage })).toBe(1);
    for (const waiting of ['wellspring_runtime_triggers', 'wellspring_delivery_waiting', 'wellspring_alerts'])
      expect([waiting, total(expositions, waiting)]).toEqual([waiting, 0]);
    expect(total(expositions, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  });

  test('are those of docs/metrics.md, and contain no ids or addresses', async () => {
    const expositions = await read();
    const served = new Map(expositions.flatMap(({ types }) => [...types]));
    const documented = new Map(Object.values(families).map(({ name, type }) => [name, type]));
    expect([...served].filter(([name, type]) => documented.get(name) !== type)).toEqual([]);
    expect([...documented.keys()].filter((name) => !served.has(name) && !absent.includes(name))).toEqual([]);
    for (const { text } of expositions)
      expect(text).not.toMatch(/\b(o|u|dc|hi|wh|sub|run|gw)_[0-9A-Za-z]{16}\b|https?:|127\.0\.0\.1/);
  });

  test('are refused through a proxy without a token', async () => {
    const response = await fetch(`${fixture.product.baseUrl}/metrics`, {
      headers: { 'x-forwarded-for': '203.0.113.7' },
    });
    expect([response.status, await response.json()]).toEqual([
      403,
      { error: expect.stringContaining('METRICS_TOKEN'), code: 'forbidden' },
    ]);
  });
});
