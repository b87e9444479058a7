// Positions, counters, filters and owners of subscriptions: what they show and what they send.
import { readFile } from 'node:fs/promises';
import { createClient } from '../../../libs/client/index.ts';
import type { Client, Filter, SubscriptionDetail } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { engine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';

/** For a restart on a busy machine. */
const storyMs = 90_000;

const fixture = withFixture();
let client: Client;
let source: { readonly id: string; readonly endpoint: string };

beforeAll(async () => {
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
  const component_code = `export default { name: 'Numbers', version: '1', props: { http: '$.interface.http' },
    run({ body }) { for (const n of body) this.$emit({ n, kind: n % 2 === 0 ? 'even' : 'odd' }); } }`;
  const { id, configured_props: props } = await client.deploySource({ component_code });
  source = { id, endpoint: props.http.endpoint_url };
});

const jsonOf = (body: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

async function emit(...numbers: readonly number[]): Promise<void> {
  const response = await fetch(source.endpoint, { method: 'POST', ...jsonOf(numbers) });
  expect(response.status).toBe(200);
}

async function subscribe(path: string, more: object = {}, retry_schedule = [1, 3_600]): Promise<string> {
  const webhook = await client.createWebhook({ url: fixture.receiver.url(path), retry_schedule });
  return (await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id, ...more })).id;
}

const numbersAt = (path: string): number[] => fixture.receiver.firstCopies<{ n: number }>(path).map(({ n }) => n);

/** Waits until the subscription satisfies `matches`; checks that the counters add up at each read. */
const waitForDetail = (id: string, matches: (detail: SubscriptionDetail) => boolean): Promise<SubscriptionDetail> =>
  until('the subscription to be so', async () => {
    const subscription = await client.subscription(id);
    for (const { published, ...others } of [
      subscription.counters,
      ...subscription.positions.map(({ counters }) => counters),
    ])
      expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBe(published);
    return matches(subscription) && subscription;
  });

test(
  'a subscription shows its position, its counters and the error that blocks it, also after kill -9',
  async () => {
    const id = await subscribe('/held');
    expect(await client.subscription(id)).toMatchObject({ state: 'active', positions: [] });
    await emit(1, 2);
    const calm = await waitForDetail(id, ({ counters }) => counters.delivered === 2);
    expect(calm).toMatchObject({
      state: 'active',
      positions: [{ emitter_id: source.id, sequence: 2, last_error: null }],
    });
    fixture.receiver.behaviours.set('/held', 'error');
    await emit(3, 4, 5);
    const blocked = await waitForDetail(
      id,
      ({ state, positions }) => state === 'blocked' && positions[0]?.lag?.events === 2,
    );
    const { data } = await client.eventSummaries(source.id, { limit: 3 });
    const third = data.at(-1)?.id;
    expect(blocked.positions).toMatchObject([
      {
        sequence: 3,
        event_id: third,
        state: 'blocked',
        lag: { capped: false },
        counters: { published: 3, delivered: 2, pending: 1 },
        last_error: { event_id: third, status: 500, failure: null },
      },
    ]);
    expect(blocked.positions[0]?.next_attempt_at_ms).toBeGreaterThan(Date.now() - 60_000);
    if (engine === 'embedded') {
      await fixture.product.kill();
      await fixture.product.start();
    }
    expect((await waitForDetail(id, ({ state }) => state === 'blocked')).positions[0]?.last_error?.event_id).toBe(
      third,
    );
    const second = await waitForDetail(
      id,
      ({ positions }) => (positions[0]?.next_attempt_at_ms ?? 0) > Date.now() + 600_000,
    );
    expect(second.counters).toMatchObject({ published: 3, delivered: 2, pending: 1 });
  },
  storyMs,
);

test(
  'a filter selects the events to deliver, and a changed one applies to events after the answer',
  async () => {
    const id = await subscribe('/odd', { filter: { kind: ['odd'] } });
    await emit(11, 12, 13, 14);
    await waitForDetail(id, ({ counters }) => counters.published === 4 && counters.delivered === 2);
    expect(numbersAt('/odd')).toEqual([11, 13]);
    await client.updateSubscription(id, { filter: { kind: ['even'] } });
    await emit(15, 16, 17, 18);
    const subscription = await waitForDetail(id, ({ counters }) => counters.published === 8 && counters.pending === 0);
    expect(subscription.counters).toMatchObject({ delivered: 4, filtered: 4 });
    const total = <T extends object>(counts: readonly T[], name: keyof T): number =>
      counts.reduce((sum, one) => sum + Number(one[name]), 0);
    await until('what was filtered to be shown by the hour', async () => {
      const hours = await client.filtered(id);
      return hours.length === 24 && total(hours, 'count') === 4;
    });
    // Counters can be shown before the events that they count.
    const events = await until('the newest event', async () => {
      const { data } = await client.eventSummaries(source.id, { limit: 100, expand: 'event' });
      return (data[0]?.event as { n?: number } | undefined)?.n === 18 && data;
    });
    const minutes = await until('every event in the minutes', async () => {
      const shown = await client.stats();
      return total(shown, 'events') >= events.length && shown;
    });
    expect([minutes.length, total(minutes, 'events'), total(minutes, 'runs') > 0]).toEqual([60, events.length, true]);
    expect(total(minutes, 'attempts')).toBeGreaterThanOrEqual(4);
    expect(total(await client.stats({ step: 'hour' }), 'events')).toBe(events.length);
    expect(numbersAt('/odd')).toEqual([11, 13, 16, 18]);
    const event_id = events[0]?.id ?? '';
    expect(await client.preview(id, { event_id })).toMatchObject({ matches: true, reason: null });
    expect(await client.preview(id, { event_id, filter: { n: [17] } })).toMatchObject({ matches: false });
    await client.updateSubscription(id, { filter: null });
    await emit(19, 20);
    await waitForDetail(id, ({ counters }) => counters.delivered === 6);
    expect(numbersAt('/odd')).toEqual([11, 13, 16, 18, 19, 20]);
  },
  storyMs,
);

test(
  'a transform makes the body and headers to send or drops an event, and a replay sends the same again',
  async () => {
    const transform = `({ n, kind }, { event_id }) => (n % 3 === 0 ? null : {
      body: { n: n * 10, kind, event_id },
      headers: { 'x-kind': kind },
    })`;
    const id = await subscribe('/transformed', { transform });
    await emit(31, 32, 33, 34);
    await waitForDetail(id, ({ counters }) => counters.delivered === 3 && counters.filtered === 1);
    expect(numbersAt('/transformed')).toEqual([310, 320, 340]);
    const [first] = fixture.receiver.requestsTo('/transformed');
    expect(first?.headers).toMatchObject({ 'x-kind': 'odd' });
    const broken = client.updateSubscription(id, { transform: '({ n }) => {\n  return { body: n ]\n}' });
    await expect(broken).rejects.toMatchObject({ status: 400, details: { line: 2, column: 20 } });
    await client.updateSubscription(id, { transform: '({ n }) => ({ body: { n: n.missing.field } })' });
    await emit(35);
    const failing = await waitForDetail(
      id,
      ({ positions }) => positions[0]?.last_error?.failure === 'transform_failed',
    );
    expect(failing.counters).toMatchObject({ published: 5, delivered: 3, filtered: 1, pending: 1 });
    const message = await until('the attempt in the list', async () => {
      const [delivery] = (await client.deliveries(id, { limit: 1 })).data;
      return delivery?.attempts[0]?.message;
    });
    expect(message).toContain('line 1');
    const preview = await client.preview(id, { event: { n: 5 }, transform: '({ n }) => ({ body: n + 1 })' });
    expect(preview).toMatchObject({ matches: true, transformed: { body: 6, headers: {} }, error: null });
    expect(await client.preview(id, { event: { n: 5 } })).toMatchObject({ error: { line: 1 } });
    await client.updateSubscription(id, { transform: null });
    const before = fixture.receiver.requestsTo('/transformed').slice(0, 3);
    await client.replay(id, { from: { sequence: 1 }, to: { sequence: 4 } });
    const again = await until('the replay', () => {
      const replayed = fixture.receiver.requestsTo('/transformed').filter(({ headers }) => 'webhook-replay' in headers);
      return replayed.length >= 3 && replayed;
    });
    const sent = (all: typeof before) =>
      all.map(({ body, headers }) => [body, headers['webhook-id'], headers['x-kind']]);
    expect(sent(again)).toEqual(sent(before));
  },
  storyMs,
);

test(
  'a changed filter also applies to new events of a subscription that is behind',
  async () => {
    fixture.receiver.behaviours.set('/behind', 'error');
    const filter = { n: [{ numeric: ['>', 100] }] };
    const id = await subscribe('/behind', { emitter_id: 'dc_*', filter }, Array(20).fill(1) as number[]);
    await emit(101, 1, 2, 102);
    await waitForDetail(id, ({ state }) => state === 'blocked');
    await client.updateSubscription(id, { filter: { n: [{ numeric: ['>', 200] }] } });
    await emit(103, 201);
    fixture.receiver.behaviours.set('/behind', 'ok');
    const subscription = await waitForDetail(id, ({ counters }) => counters.published === 6 && counters.pending === 0);
    expect(subscription.counters).toMatchObject({ delivered: 3, filtered: 3 });
    expect(numbersAt('/behind')).toEqual([101, 102, 201]);
  },
  storyMs,
);

const failing = (name: string): string => `export default {
  name: '${name}', version: '1', props: { http: '$.interface.http' },
  run({ body }) { this.$emit({ by: '${name}', n: body.n }, { name: 'mine' }); throw new Error('${name} ' + body.n); } }`;

/** The messages of the errors that arrived at `path`. */
const errorsAt = (path: string): string[] =>
  fixture.receiver.firstCopies<{ error: { message: string } }>(path).map(({ error }) => error.message);

test(
  'a subscription to an owner gets events of all its present and future sources until it is deleted',
  async () => {
    const { id: user, orgs } = await client.me();
    const hook = async (path: string) => (await client.createWebhook({ url: fixture.receiver.url(path) })).id;
    const deployed = async (name: string) => {
      const { id, configured_props: props } = await client.deploySource({ component_code: failing(name) });
      const run = (n: number) => fetch(props.http.endpoint_url, { method: 'POST', ...jsonOf({ n }) });
      return { id, run };
    };
    const first = await deployed('First');
    const errors = { event_name: '$errors', listener_id: await hook('/auto') };
    const auto = await client.autoSubscriptions.create(errors);
    const [org] = orgs;
    await client.createSubscription({ ...errors, emitter_id: org?.id ?? '', listener_id: await hook('/org') });
    const own = { emitter_id: user, event_name: 'mine', listener_id: await hook('/user') };
    const { id } = await client.createSubscription(own);
    const second = await deployed('Second');
    for (const { run } of [first, second]) await run(1);
    const both = ['First 1', 'Second 1'];
    for (const path of ['/auto', '/org']) await until(path, () => errorsAt(path).length === 2);
    expect([errorsAt('/auto').toSorted(), errorsAt('/org').toSorted()]).toEqual([both, both]);
    await waitForDetail(id, ({ counters }) => counters.delivered === 2);
    expect(
      fixture.receiver
        .firstCopies<{ by: string }>('/user')
        .map(({ by }) => by)
        .toSorted(),
    ).toEqual(['First', 'Second']);
    const positions = (await client.positions(id)).data.map(({ emitter_id }) => emitter_id);
    expect(positions).toEqual([first.id, second.id].toSorted());
    expect((await client.positions(id, { emitter_id: second.id })).data).toMatchObject([{ sequence: 1 }]);
    if (engine === 'embedded') {
      await fixture.product.kill();
      await fixture.product.start();
    }
    expect((await client.autoSubscriptions.list()).data).toContainEqual(auto);
    await client.autoSubscriptions.delete(errors);
    for (const { run } of [first, second]) await run(2);
    await waitForDetail(id, ({ counters }) => counters.delivered === 4);
    await until('/org', () => errorsAt('/org').length === 4);
    expect(errorsAt('/auto')).toHaveLength(2);
  },
  storyMs,
);

test(
  'the filter in the API guide is valid and matches what the guide says',
  async () => {
    const id = await subscribe('/guide');
    const guide = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8');
    const [, text = ''] = /^## Filters of subscriptions\n[^]*?^```json\n([^]*?)^```$/m.exec(guide) ?? [];
    const filter = JSON.parse(text) as Filter;
    const event = {
      action: 'review_requested',
      issue: { comments: 3, assignee: null },
      repository: { private: true },
      sender: { login: 'somebody' },
    };
    expect(await client.preview(id, { event, filter })).toMatchObject({ matches: true, reason: null });
    const robot = { ...event, sender: { login: 'robot' } };
    expect(await client.preview(id, { event: robot, filter })).toMatchObject({ matches: false });
  },
  storyMs,
);
