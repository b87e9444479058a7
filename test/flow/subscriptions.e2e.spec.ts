import { createClient } from '../../libs/client/index.ts';
import type { Client, SubscriptionDetail } from '../../libs/client/index.ts';
import { withCast } from '../support/cast.ts';
import { until } from '../support/until.ts';

const cast = withCast();
let client: Client;
let source: { readonly id: string; readonly endpoint: string };

beforeAll(async () => {
  client = createClient({ baseUrl: cast.product.baseUrl, apiKey: await cast.product.apiKey() });
  const component_code = `export default { name: 'Numbers', version: '1', props: { http: '$.interface.http' },
    run({ body }) { for (const n of body) this.$emit({ n, kind: n % 2 === 0 ? 'even' : 'odd' }); } }`;
  const { id, configured_props: props } = await client.deploySource({ component_code });
  source = { id, endpoint: props.http.endpoint_url };
});

async function emit(...numbers: readonly number[]): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(source.endpoint, { method: 'POST', headers, body: JSON.stringify(numbers) });
  expect(answer.status).toBe(200);
}

async function subscribe(path: string, retry_schedule = [1, 3_600]): Promise<string> {
  const webhook = await client.createWebhook({ url: cast.receiver.url(path), retry_schedule });
  return (await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id })).id;
}

/** Once it is as it should be; at every look until then the counters must add up. */
const detail = (id: string, isSo: (detail: SubscriptionDetail) => boolean): Promise<SubscriptionDetail> =>
  until('the subscription to be so', async () => {
    const shown = await client.subscription(id);
    for (const { published, ...others } of [shown.counters, ...shown.positions.map(({ counters }) => counters)])
      expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBe(published);
    return isSo(shown) && shown;
  });

test('a subscription says how far it is, what holds it up, and what became of every event, also after kill -9', async () => {
  const id = await subscribe('/held');
  expect(await client.subscription(id)).toMatchObject({ state: 'active', positions: [] });
  await emit(1, 2);
  const calm = await detail(id, ({ counters }) => counters.delivered === 2);
  expect(calm).toMatchObject({
    state: 'active',
    positions: [{ emitter_id: source.id, sequence: 2, last_error: null }],
  });
  cast.receiver.behaviours.set('/held', 'error');
  await emit(3, 4, 5);
  const blocked = await detail(id, ({ state, positions }) => state === 'blocked' && positions[0]?.lag?.events === 2);
  const { data } = await client.eventSummaries(source.id, { limit: 3 });
  const third = data.at(-1)?.id;
  expect(blocked.positions).toMatchObject([
    {
      ...{ sequence: 3, event_id: third, state: 'blocked', lag: { capped: false } },
      counters: { published: 3, delivered: 2, pending: 1 },
      last_error: { event_id: third, status: 500, failure: null },
    },
  ]);
  expect(blocked.positions[0]?.next_attempt_at_ms).toBeGreaterThan(Date.now() - 60_000);
  await cast.product.kill();
  await cast.product.start();
  expect((await detail(id, ({ state }) => state === 'blocked')).positions[0]?.last_error?.event_id).toBe(third);
  const second = await detail(id, ({ positions }) => (positions[0]?.next_attempt_at_ms ?? 0) > Date.now() + 600_000);
  expect(second.counters).toMatchObject({ published: 3, delivered: 2, pending: 1 });
});
