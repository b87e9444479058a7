// Start positions and replays send past events to a new or an existing subscription, also across kill -9.
import { createClient } from '../../../libs/client/index.ts';
import type { Client, Source } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import type { ReceivedRequest } from '../../support/receiver.ts';
import { until as poll } from '../../support/until.ts';

const fixture = withFixture();
const component_code = `export default {
  name: 'Counter', version: '1', props: { http: '$.interface.http' },
  run({ body }) { for (let n = body.from; n <= body.to; n++) this.$emit({ n }, { name: body.channel }); },
};`;
const count = 40;
/** For a start of every app on a busy machine, and a replay at its rate. */
const deadlineMs = 60_000;
const until: typeof poll = (what, condition) => poll(what, condition, deadlineMs);
let client: Client;
let source: Source;
beforeAll(async () => {
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
  source = await client.deploySource({ component_code });
}, 60_000);

const emit = (source: Source, from: number, to: number): Promise<void> => post(source, { from, to });

async function post({ configured_props }: Source, body: object): Promise<void> {
  const { endpoint_url } = configured_props['http'] as { readonly endpoint_url: string };
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(endpoint_url, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(200);
}

const numberOf = ({ body }: ReceivedRequest): number => (JSON.parse(body) as { readonly n: number }).n;
const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1);
const replayedRequests = (path: string): ReceivedRequest[] =>
  fixture.receiver.requestsTo(path).filter(({ headers }) => 'webhook-replay' in headers);
const unique = (numbers: readonly number[]): number[] => [...new Set(numbers)];

fixture.kills.test(
  'a subscription can start at the earliest event, and a replay continues after kill -9',
  async function* () {
    const live = await client.createWebhook({ url: fixture.receiver.url('/live') });
    const subscription = await client.createSubscription({ emitter_id: source.id, listener_id: live.id });
    await emit(source, 1, count);
    await until('all events', () => fixture.receiver.firstCopies('/live').length === count);

    const late = await client.createWebhook({ url: fixture.receiver.url('/late') });
    await client.createSubscription({ emitter_id: source.id, listener_id: late.id, start: 'earliest' });
    await until('all events at the late one', () => fixture.receiver.firstCopies('/late').length === count);
    expect(unique(fixture.receiver.requestsTo('/late').map(numberOf))).toEqual(upTo(count));

    const range = { from: { sequence: 3 }, to: { sequence: count - 2 } } as const;
    expect(await client.countReplay(subscription.id, range)).toMatchObject({ count: count - 4 });
    let replay = { id: '' };
    yield async () => {
      replay = await client.replay(subscription.id, { ...range, rate: 20 });
      await until('some of them', () => replayedRequests('/live').length >= 8);
    };
    // While the interrupted replay continues.
    await emit(source, count + 1, count + 5);
    const ended = await until('the end of the replay', async () => {
      const current = await client.replayOf(subscription.id, replay.id);
      return current.state === 'done' && current;
    });
    expect(ended).toMatchObject({ total: count - 4, done: count - 4, failed: 0, passed: 0, left: 0 });
    const again = replayedRequests('/live');
    expect(unique(again.map(numberOf))).toEqual(upTo(count).slice(2, -2));
    for (const one of again) {
      const before = fixture.receiver.requestsTo('/live').find(({ body }) => body === one.body);
      expect([one.id, one.headers['webhook-replay-id']]).toEqual([before?.id, replay.id]);
    }
    await until('the new events', () => fixture.receiver.firstCopies('/live').length === count + 5);
    expect(fixture.receiver.firstCopies('/live')).toEqual(upTo(count + 5).map((n) => ({ n })));
    const replayed = await until('every attempt of the replay to be listed', async () => {
      const { data } = await client.deliveries(subscription.id, { limit: 100 });
      const found = data.filter(({ attempts }) => attempts.some(({ replay_id }) => replay_id === replay.id));
      return found.length >= count - 4 && found;
    });
    expect(replayed).toHaveLength(count - 4);
    await expectDeliveriesFound(subscription.id, live.id);
  },
);

async function expectDeliveriesFound(subscriptionId: string, webhookId: string): Promise<void> {
  const data = await until('all deliveries to be listed', async () => {
    const found = await client.findDeliveries({ webhook_id: webhookId, source_id: source.id, status: 200 });
    return found.page_info.total_count === count + 5 && found.data;
  });
  expect([data[0]?.subscription_id, data.length]).toEqual([subscriptionId, 10]);
  const [newest] = data;
  const { event_id = '', id = '' } = newest ?? {};
  expect(await client.delivery(id)).toEqual(newest);
  expect((await client.findDeliveries({ event_id, state: 'delivered' })).data).toContainEqual(newest);
  expect((await client.findDeliveries({ webhook_id: webhookId, state: 'parked' })).data).toEqual([]);
}

fixture.kills.test(
  'a subscription to every source is replayed to a webhook and to a source, also across kill -9',
  async function* () {
    const others = await Promise.all([1, 2, 3].map(() => client.deploySource({ component_code })));
    const listener_code = `export default { name: 'Again', version: '1', run(event) { this.$emit(event); } }`;
    const listener = await client.deploySource({ component_code: listener_code });
    const webhook = await client.createWebhook({ url: fixture.receiver.url('/every') });
    const event_name = 'every';
    const to = (listener_id: string) => client.createSubscription({ emitter_id: 'dc_*', listener_id, event_name });
    const [hooked, listening] = [await to(webhook.id), await to(listener.id)];
    for (const other of others) await post(other, { from: 1, to: 10, channel: event_name });
    await until('all at the webhook', () => fixture.receiver.requestsTo('/every').length >= 30);
    const runsOf = async (): Promise<number> =>
      (await client.eventSummaries(listener.id, { limit: 1 })).page_info.total_count;
    await until('all at the source', async () => (await runsOf()) === 30);

    expect(await client.countReplay(hooked.id)).toMatchObject({ count: 30 });
    const replays: { readonly id: string }[] = [];
    yield async () => {
      replays.push(await client.replay(hooked.id, { rate: 20 }), await client.replay(listening.id));
      await until('some of them', () => replayedRequests('/every').length >= 3);
    };
    for (const [index, { id }] of [hooked, listening].entries()) {
      const ended = await until('the end of the replay', async () => {
        const current = await client.replayOf(id, replays[index]?.id ?? '');
        return current.state === 'done' && current;
      });
      expect(ended).toMatchObject({ emitter_id: 'dc_*', total: 30, done: 30, failed: 0, passed: 0, left: 0 });
      expect((await client.replays(id)).data).toEqual([ended]);
    }
    for (const { id } of others) {
      const own = replayedRequests('/every').filter(({ headers }) => headers['x-pd-emitter-id'] === id);
      expect(unique(own.map(numberOf))).toEqual(upTo(10));
    }
    await until('the runs of the listening source', async () => (await runsOf()) === 60);
  },
);
fixture.kills.test(
  'parked deliveries are retried or discarded one by one, also across kill -9, and are counted',
  async function* () {
    const failing = await client.deploySource({ component_code });
    fixture.receiver.behaviours.set('/parked', 'error');
    const webhook = await client.createWebhook({ url: fixture.receiver.url('/parked'), retry_schedule: [] });
    const { id } = await client.createSubscription({ emitter_id: failing.id, listener_id: webhook.id });
    await emit(failing, 1, 4);
    const filter = { webhook_id: webhook.id, state: 'parked' } as const;
    const parked = await until('all four to be parked', async () => {
      const { data } = await client.findDeliveries(filter);
      return data.length === 4 && data;
    });
    expect(parked[0]?.attempts[0]).toMatchObject({
      address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      answer_headers: expect.any(Object),
      request_headers: { 'webhook-id': parked[0]?.id },
    });
    const [fails, succeeds, goes] = parked.map((one) => one.id) as [string, string, string];
    await client.retryDelivery(fails);
    await until('it to be parked again', async () => {
      const { state, attempt_count } = await client.delivery(fails);
      return state === 'parked' && attempt_count === 2;
    });
    await expectWebhookTested(webhook.id, 500, fails);
    fixture.receiver.behaviours.delete('/parked');
    await expectWebhookTested(webhook.id, 200, fails);
    expect((await client.discardDelivery(goes)).state).toBe('discarded');
    yield () => client.retryDelivery(succeeds);
    await until('it to be delivered', async () => (await client.delivery(succeeds)).state === 'delivered');
    const counters = { published: 4, delivered: 1, parked: 2, filtered: 0, expired: 1, pending: 0 };
    await until('all to be counted', async () => {
      const { delivered, pending } = (await client.subscription(id)).counters;
      return delivered === 1 && pending === 0;
    });
    expect((await client.subscription(id)).counters).toEqual(counters);
    await expect(client.retryDelivery(succeeds)).rejects.toMatchObject({ status: 409, code: 'not_open' });
    expect(fixture.receiver.requestsTo('/parked').filter((one) => one.id === goes)).toHaveLength(1);
  },
);

/** The answer to a test is its attempt; the test is not listed as a delivery. */
async function expectWebhookTested(webhookId: string, status: number, other: string): Promise<void> {
  const tried = await client.testWebhook(webhookId);
  expect(tried).toMatchObject({ attempt: 1, outcome: status === 200 ? 'delivered' : 'failed', status });
  const id = tried.request_headers?.['webhook-id'] ?? '';
  const sent = fixture.receiver.requestsTo('/parked').filter((one) => one.id === id);
  expect(sent.map(({ body }) => JSON.parse(body))).toMatchObject([{ type: 'webhook.test', webhook_id: webhookId }]);
  await expect(client.delivery(id)).rejects.toMatchObject({ status: 404 });
  expect(id).not.toBe(other);
}
