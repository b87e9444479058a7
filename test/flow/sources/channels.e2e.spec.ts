import { createClient } from '../../../libs/client/index.ts';
import type { Client, EventSummary } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { verify } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

// One of the stories sends a secret in a request itself.
const fixture = withFixture({ findsLeaks: false });
let client: Client;
beforeAll(async () => {
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
});

/** Waits for that many events, and returns them oldest first. */
function waitForEvents(
  id: string,
  count: number,
  event_name?: string,
  deadlineMs?: number,
): Promise<readonly EventSummary[]> {
  const read = async (): Promise<false | readonly EventSummary[]> => {
    const { data } = await client.eventSummaries(id, {
      expand: 'event',
      limit: 100,
      ...(event_name === undefined ? {} : { event_name }),
    });
    return data.length >= count && data.toReversed();
  };
  return until(`${count} events of ${id} on ${event_name ?? 'every channel'}`, read, deadlineMs);
}

test('a failed run is an event on $errors, which is delivered only to subscriptions to that channel', async () => {
  const component_code = `export default {
    name: 'Brittle', version: '1', props: { http: '$.interface.http', token: { type: 'string', secret: true } },
    run({ body }) {
      this.$emit({ n: body.n });
      if (body.n === 1) throw new TypeError('no luck with ' + this.token);
    },
  };`;
  const source = await client.deploySource({ component_code, configured_props: { token: 'hush-hush-token' } });
  const [errors, all] = await Promise.all(
    ['/errors', '/all'].map((path) => client.createWebhook({ url: fixture.receiver.url(path) })),
  );
  const triple = { emitter_id: source.id, listener_id: errors?.id ?? '', event_name: '$errors' };
  await client.createSubscription(triple);
  await client.createSubscription({ emitter_id: source.id, listener_id: all?.id ?? '' });
  const { endpoint_url } = source.configured_props['http'] as { readonly endpoint_url: string };
  for (const n of [1, 2]) {
    const body = JSON.stringify({ n, by: 'hush-hush-token' });
    await fetch(endpoint_url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }
  const emitted = await waitForEvents(source.id, 2);
  expect(emitted.map(({ event }) => event)).toEqual([{ n: 1 }, { n: 2 }]);
  const [errorEvent] = await waitForEvents(source.id, 1, '$errors');
  // An event may be shown before its run.
  const failed = await until('the failed run', async () => {
    const { data } = await client.runs(source.id, {});
    return data.find(({ outcome }) => outcome === 'failed');
  });
  expect(errorEvent?.event).toMatchObject({
    original_event: { method: 'POST', body: { n: 1, by: '[secret]' } },
    error: { name: 'TypeError', message: 'no luck with [secret]', stack: expect.stringContaining('TypeError') },
    run_id: failed.id,
  });
  await until(
    'both webhooks to have got theirs',
    () => fixture.receiver.requestsTo('/errors').length + fixture.receiver.requestsTo('/all').length >= 3,
  );
  expect(fixture.receiver.firstCopies('/errors')).toEqual([errorEvent?.event]);
  expect(fixture.receiver.firstCopies('/all')).toEqual([{ n: 1 }, { n: 2 }]);
});

test('a sample event is delivered and marked as one, and does not wait for a run that hangs', async () => {
  const component_code = `export default {
    name: 'Sampled', version: '1', sampleEmit: { title: 'As it would come' },
    run() { return new Promise(() => {}); },
  };`;
  const { id, has_sample } = await client.deploySource({ component_code });
  const webhook = await client.createWebhook({ url: fixture.receiver.url('/sampled') });
  await client.createSubscription({ emitter_id: id, listener_id: webhook.id });
  await client.runNow(id);
  const run = await client.emitSample(id);
  expect([has_sample, run]).toMatchObject([true, { kind: 'sample', outcome: 'succeeded' }]);
  const [emitted] = await waitForEvents(id, 1);
  expect(emitted).toMatchObject({ id: run.emitted[0], metadata: { run_id: run.id, sample: true } });
  await until('the delivery of the sample', () => fixture.receiver.requestsTo('/sampled').length >= 1);
  const [delivered] = fixture.receiver.requestsTo('/sampled');
  expect(JSON.parse(delivered?.body ?? '')).toEqual({ title: 'As it would come' });
  expect(delivered?.headers['x-wellspring-sample']).toBe('true');
});

/** Deploys a source and starts a call of its sample that never ends. */
async function deploySelfCalling(): Promise<string> {
  const { id } = await client.deploySource({
    component_code: `export default {
      name: 'Called', version: '1', run() {},
      async sampleEmit() { await fetch('${fixture.receiver.url('/called')}'); await new Promise(() => {}); },
    };`,
  });
  client.emitSample(id).catch(() => {});
  await until('the call to begin', () => fixture.receiver.requestsTo('/called').length === 1);
  return id;
}

async function expectCalledOnce(id: string): Promise<void> {
  const runs = await until('the record of the call', async () => {
    const { data } = await client.runs(id, { kind: 'sample' });
    return data.length > 0 && data;
  });
  expect(runs).toMatchObject([{ outcome: 'failed', emitted: [], error: { name: 'CallLostError' } }]);
  expect(fixture.receiver.requestsTo('/called')).toHaveLength(1);
}

fixture.kills.test(
  'once $logs has a subscription, the console of a run is an event on it, also across kill -9',
  async function* () {
    const component_code = `export default {
    name: 'Talker', version: '1', props: { http: '$.interface.http', token: { type: 'string', secret: true } },
    run({ body }) {
      if (body.n % 2 === 0) console.info('got', body.n, 'with', this.token);
      this.$emit({ n: body.n });
    },
  };`;
    const source = await client.deploySource({ component_code, configured_props: { token: 'hush-hush-token' } });
    const webhook = await client.createWebhook({ url: fixture.receiver.url('/logs') });
    const url = endpointOf(source.configured_props);
    for (let n = 0; n < 2; n++) await post(url, { n });
    await waitForEvents(source.id, 2);
    const triple = { emitter_id: source.id, listener_id: webhook.id, event_name: '$logs' };
    await client.createSubscription(triple);
    yield async () => {
      for (let n = 2; n < 5; n++) await post(url, { n });
    };
    for (let n = 5; n < 9; n++) await post(url, { n });
    const listed = await waitForEvents(source.id, 5, '$logs');
    await until('the webhook to have got four', () => fixture.receiver.firstCopies('/logs').length >= 4);
    const logEvents = fixture.receiver.firstCopies('/logs') as readonly {
      readonly console: readonly { readonly text: string }[];
    }[];
    const printed = (n: number): string => `got ${n} with [secret]`;
    expect(logEvents.flatMap(({ console }) => console.map(({ text }) => text))).toEqual([2, 4, 6, 8].map(printed));
    expect(listed.map(({ event }) => event).slice(-4)).toEqual(logEvents);
    const { data } = await client.runs(source.id, { kind: 'http', limit: 100 });
    const printing = data.filter(({ console }) => console.length > 0).map(({ id }) => id);
    expect(listed.map(({ id }) => id).toSorted()).toEqual(printing.toSorted());
    expect((await waitForEvents(source.id, 9)).map(({ event }) => event)).toEqual(
      Array.from({ length: 9 }, (_, n) => ({ n })),
    );
    await client.deleteSubscription(triple);
    const other = client.createSubscription({ ...triple, event_name: '$other' });
    await expect(other).rejects.toMatchObject({ status: 400 });
  },
);

/** Emits what it gets with `n` one higher, on the channel of that name, or on the default channel for ''. */
const relay = (name: string): string => `export default {
  name: 'Relay', version: '1', props: { http: '$.interface.http', db: '$.service.db' },
  run(event) {
    const { n, to } = event.body ?? event;
    this.db.set('runs', (this.db.get('runs') ?? 0) + 1);
    this.$emit({ n: n + 1, to }, { name: ${JSON.stringify(name)} });
  },
};`;

const post = async (url: string, body: unknown): Promise<void> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
};
const endpointOf = (props: Readonly<Record<string, unknown>>): string =>
  (props['http'] as { readonly endpoint_url: string }).endpoint_url;

fixture.kills.test(
  'a listening source runs once per event in order across kill -9, but an interrupted sample is not repeated',
  async function* () {
    const [source, listener] = await Promise.all(
      [relay(''), relay('out')].map((component_code) => client.deploySource({ component_code })),
    );
    if (source === undefined || listener === undefined) throw new Error('both are deployed');
    const subscription = await client.createSubscription({ emitter_id: source.id, listener_id: listener.id });
    expect(subscription).toMatchObject({ emitter_id: source.id, listener_id: listener.id, event_name: '' });
    const url = endpointOf(source.configured_props);
    const called = await deploySelfCalling();
    yield async () => {
      for (let n = 0; n < 30; n++) await post(url, { n });
    };
    await expectCalledOnce(called);
    for (let n = 30; n < 60; n++) await post(url, { n });
    const heard = await waitForEvents(listener.id, 60);
    expect(heard.map(({ event }) => (event as { readonly n: number }).n)).toEqual(
      Array.from({ length: 60 }, (_, n) => n + 2),
    );
    const { data } = await client.deliveries(subscription.id, { limit: 1 });
    expect(data).toMatchObject([
      { webhook_id: listener.id, emitter_id: source.id, state: 'delivered', attempt_count: 1 },
    ]);
    expect((await client.runs(listener.id, { limit: 1 })).data).toMatchObject([
      { kind: 'event', outcome: 'succeeded' },
    ]);
    await client.deleteSource(listener.id);
    await expect(client.subscription(subscription.id)).rejects.toMatchObject({ status: 404 });
    const unknown = client.createSubscription({ emitter_id: source.id, listener_id: listener.id });
    await expect(unknown).rejects.toMatchObject({ status: 404, details: { field: 'listener_id' } });
  },
);

/** Schedules messages for itself, as public schedulers do, and emits each under the same id when it comes back. */
const scheduler = `export default {
  name: 'Scheduler', version: '1', dedupe: 'unique', props: { http: '$.interface.http' },
  run(event) {
    if (event.$id !== undefined) return this.$emit({ message: event.message }, { id: event.$id });
    const { id, message, at } = event.body;
    this.$emit({ message, $id: id }, { name: 'self', id, delivery_ts: at });
  },
};`;

fixture.kills.test(
  'an event for a later time waits on $in across kill -9, is emitted once, and can be cancelled',
  async function* () {
    const source = await client.deploySource({ component_code: scheduler });
    await client.createSubscription({ emitter_id: source.id, listener_id: source.id, event_name: 'self' });
    const url = endpointOf(source.configured_props);
    const muchLater = Date.now() + 3_600_000;
    await post(url, { id: 'late', message: 'much later', at: new Date(muchLater).toISOString() });
    const waiting = await waitForEvents(source.id, 1, '$in');
    expect(waiting[0]).toMatchObject({
      event: { message: 'much later', $id: 'late' },
      metadata: { id: 'late', name: 'self', delivery_ts: muchLater },
    });
    let at = 0;
    yield async () => {
      at = Date.now() + 2_000;
      await post(url, { id: 'soon', message: 'soon', at });
    };
    const [event] = await waitForEvents(source.id, 1, '');
    expect(event).toMatchObject({ event: { message: 'soon' }, metadata: { id: 'soon' } });
    const self = await waitForEvents(source.id, 1, 'self');
    expect(self).toMatchObject([{ event: { message: 'soon', $id: 'soon' }, metadata: { id: 'soon' } }]);
    expect(self[0]?.indexed_at_ms).toBeGreaterThanOrEqual(at);
    // The emitted event may be shown before it is removed from those that wait.
    const remaining = await until('one alone to wait', async () => {
      const { data, page_info } = await client.eventSummaries(source.id, { event_name: '$in' });
      return page_info.total_count === 1 && data;
    });
    expect(remaining.map(({ metadata }) => metadata.id)).toEqual(['late']);
    await client.deleteEvents(source.id, { event_name: '$in' });
    await until('what waited to be cancelled', async () => {
      const remaining = await client.eventSummaries(source.id, { event_name: '$in' });
      return remaining.page_info.total_count === 0;
    });
    await post(url, { id: 'later', message: 'later', at: new Date(muchLater).toISOString() });
    await waitForEvents(source.id, 1, '$in');
    await client.deleteSource(source.id);
    await until('what waited to go with its source', async () => {
      const remaining = await client.eventSummaries(source.id, { event_name: '$in' });
      return remaining.page_info.total_count === 0;
    });
  },
);

/** Each hop takes a run and a delivery, and the last ones are slowed down. */
const hopsMs = 60_000;

test('a source that listens to itself slows down after 32 hops and misses no event', async () => {
  const source = await client.deploySource({ component_code: relay('self') });
  await client.createSubscription({ emitter_id: source.id, listener_id: source.id, event_name: 'self' });
  await post(endpointOf(source.configured_props), { n: 0 });
  const events = await waitForEvents(source.id, 35, 'self', hopsMs);
  const took = (from: number, to: number): number =>
    (events[to]?.indexed_at_ms ?? 0) - (events[from]?.indexed_at_ms ?? 0);
  expect(took(33, 34)).toBeGreaterThan(800);
  expect(events.map(({ event }) => (event as { readonly n: number }).n)).toEqual(events.map((_, index) => index + 1));
  await client.deleteSource(source.id);
}, 120_000);

fixture.kills.test(
  'published events are delivered signed, in order and once per id, to subscribers of their channel',
  async function* () {
    const channel = await client.deploySource({ kind: 'channel', name: 'Orders' });
    expect(channel).toMatchObject({ kind: 'channel', state: 'active', name_slug: 'orders', component_id: null });
    const [webhook, paid] = await Promise.all(
      ['/published', '/published-paid'].map((path) => client.createWebhook({ url: fixture.receiver.url(path) })),
    );
    const emitter_id = channel.id;
    await client.createSubscription({ emitter_id, listener_id: webhook?.id ?? '' });
    await client.createSubscription({ emitter_id, listener_id: paid?.id ?? '', event_name: 'paid' });
    const [first] = await client.publish(channel.id, [{ event: { n: 0 }, id: 'order 0' }]);
    const batch = Array.from({ length: 1_000 }, (_, n) => ({
      event: { n },
      id: `order ${n}`,
      name: n % 100 === 0 ? 'paid' : '',
    }));
    let answered: Awaited<ReturnType<Client['publish']>> = [];
    yield async () => (answered = await client.publish(channel.id, batch));
    expect(answered[0]).toEqual({ id: first?.id, duplicate: true });
    expect(answered.slice(1).every(({ duplicate }) => !duplicate)).toBe(true);
    const keyed = { idempotencyKey: 'the-last-one' };
    const [last] = await client.publish(channel.id, [{ event: { n: 1_000 } }], keyed);
    expect(await client.publish(channel.id, [{ event: { n: 1_000 } }], keyed)).toEqual([
      { id: last?.id, duplicate: true },
    ]);
    expect(await client.publish(channel.id, batch.slice(0, 10))).toEqual(
      answered.slice(0, 10).map(({ id }) => ({ id, duplicate: true })),
    );
    const ns = (path: string): readonly number[] => fixture.receiver.firstCopies<{ n: number }>(path).map(({ n }) => n);
    await until('every event to be delivered', () => ns('/published').length >= 1_001, 60_000);
    expect(ns('/published')).toEqual(Array.from({ length: 1_001 }, (_, n) => n));
    await until('those on the channel', () => ns('/published-paid').length >= 9);
    expect(ns('/published-paid')).toEqual(Array.from({ length: 9 }, (_, n) => (n + 1) * 100));
    for (const received of fixture.receiver.requestsTo('/published')) verify(webhook?.signing_key ?? '', received);
    // The list may lag behind deliveries.
    const newest = await until('the last to be listed', async () => {
      const { data } = await client.eventSummaries(channel.id, { limit: 1 });
      return data.find(({ id }) => id === last?.id);
    });
    expect(newest).toMatchObject({ id: last?.id, metadata: { run_id: null } });
    await client.deleteSource(channel.id);
    await expect(client.publish(channel.id, [{ event: 1 }])).rejects.toMatchObject({ status: 404 });
  },
);

test('the trace of a request continues through the run of a listening source to the receiver', async () => {
  const [source, listener] = await Promise.all(
    [relay(''), relay('out')].map((component_code) => client.deploySource({ component_code })),
  );
  if (source === undefined || listener === undefined) throw new Error('two were deployed');
  const webhook = await client.createWebhook({ url: fixture.receiver.url('/traced') });
  await client.createSubscription({ emitter_id: source.id, listener_id: listener.id });
  await client.createSubscription({ emitter_id: listener.id, listener_id: webhook.id, event_name: 'out' });
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const response = await fetch(endpointOf(source.configured_props), {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${trace}-00f067aa0ba902b7-00` },
    body: JSON.stringify({ n: 0 }),
  });
  expect(response.status).toBe(200);
  await until('the event to be delivered', () => fixture.receiver.requestsTo('/traced').length > 0);
  const [received] = fixture.receiver.requestsTo('/traced');
  expect(received?.headers['traceparent']).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
  const [event] = await waitForEvents(listener.id, 1, 'out');
  expect(event?.metadata.trace_id).toBe(trace);
  const run = await until('its run', async () => (await client.runs(listener.id, { kind: 'event' })).data[0]);
  expect(run.trace_id).toBe(trace);
  await Promise.all([source, listener].map(({ id }) => client.deleteSource(id)));
}, 120_000);
