import { until } from '../../../../test/support/until.ts';
import type { FilterVersion } from '../../../domain/delivery/filter/filter-history.ts';
import { signingKeyOf, standardSignature } from '../../../domain/delivery/signature.ts';
import type { CursorCounters } from '../../../domain/delivery/messages.ts';
import type { Reply } from '../../../log/log.ts';
import { DeliveryWorld, sealed, secret, upTo } from '../delivery.world.fake.ts';

let world: DeliveryWorld;
beforeEach(async () => {
  world = new DeliveryWorld();
  await world.addKey();
  await world.addWebhook('wh_1', {
    retrySchedule: [3_600],
    headers: [{ name: 'x-fixed', value: sealed('of the webhook') }],
  });
});
afterEach(async () => {
  expect(world.fatal).toEqual([]);
  await world.end();
});

const since = (transform: string | undefined, from?: number): FilterVersion => ({
  channelEnds: from === undefined ? [] : [from],
  filter: null,
  ...(transform === undefined ? {} : { transform }),
});

async function subscribed(...filters: readonly FilterVersion[]): Promise<void> {
  const data = { subscriptionId: 'sub_1', partition: 0, filters };
  await world.append('subscriptions', world.record('FilterDefined', 'sub_1/filter', data));
  await world.subscribe('sub_1', { listenerId: 'wh_1', channelEnd: 0 });
}

const counters = (): CursorCounters | undefined =>
  world.cursor('sub_1/dc_a')?.data['counters'] as CursorCounters | undefined;
const counted = (expected: Partial<CursorCounters>): Promise<unknown> =>
  until('all to be counted', () => {
    const now = counters();
    return now !== undefined && Object.entries(expected).every(([name, count]) => now[name as 'filtered'] === count);
  });
const request = (at = 0) => world.webhook.calls[at]?.request ?? { headers: {} as Record<string, string>, body: '' };

test("sends what the transform returns, signed, with its headers taking precedence over the webhook's own", async () => {
  await subscribed(
    since('({ n }, { event_id }) => ({ body: { n, event_id }, headers: { "X-Fixed": "own", a: "b" } })'),
  );
  await world.start();
  const [eventId] = await world.emit([1]);
  await counted({ delivered: 1 });
  const { headers, body } = request();
  expect(JSON.parse(body)).toEqual({ n: 1, event_id: eventId });
  expect(headers).toMatchObject({ 'x-fixed': 'own', a: 'b', 'content-type': 'application/json' });
  const { 'webhook-id': id = '', 'webhook-timestamp': at, 'webhook-signature': signature } = headers;
  expect(signature).toBe(standardSignature([signingKeyOf(secret)], { id, timestampSeconds: Number(at), body }));
});

test('an event dropped by the transform is numbered and counted as filtered, and the next one is sent', async () => {
  await subscribed(since('({ n }) => (n % 2 === 0 ? null : {})'));
  await world.start();
  await world.emit(upTo(1_000));
  await counted({ published: 1_000, delivered: 500, filtered: 500, parked: 0 });
  expect(world.sentTo('wh_1')).toEqual(upTo(1_000).filter((n) => n % 2 === 1));
  expect(world.delivered('sub_1')).toBe(500);
  expect(world.deliveries('sub_1').filter(({ type }) => type === 'DeliveryAttempted')).toHaveLength(500);
});

test('a throwing transform counts as a failed attempt with its error, is retried and parked, and sends nothing', async () => {
  await world.addWebhook('wh_1', { retrySchedule: [] });
  await subscribed(since('({ n }) => {\n  if (n === 1) throw new Error("not one");\n  return {}; }'));
  await world.start();
  await world.emit(upTo(2));
  await counted({ delivered: 1, parked: 1 });
  expect(world.sentTo('wh_1')).toEqual([2]);
  expect(world.deliveries('sub_1')[0]?.data).toMatchObject({
    outcome: 'failed',
    status: null,
    failure: 'transform_failed',
    message: expect.stringMatching(/^line 2, column \d+: Error: not one$/) as string,
  });
});

test('an event dropped at a retry counts as filtered, and its delivery is shown as discarded', async () => {
  await world.addWebhook('wh_1', { retrySchedule: [0] });
  await subscribed(since('((n) => () => { if (n++ === 0) throw new Error("busy"); return null; })(0)'));
  await world.start();
  await world.emit([1]);
  await counted({ published: 1, filtered: 1 });
  const records = (): readonly unknown[] => world.deliveries('sub_1').map(({ type, data }) => [type, data['by']]);
  await until('all records', () => records().length === 3);
  expect(records()).toEqual([
    ['DeliveryAttempted', undefined],
    ['DeliveryDiscarded', 'transform'],
    ['EventsFiltered', undefined],
  ]);
  expect(world.sentTo('wh_1')).toEqual([]);
});

test('an event keeps the transform of its time at a retry, after a restart and despite a newer one', async () => {
  await subscribed(since('() => ({ body: "first" })'));
  world.webhook.script = () => ({ status: 500 });
  await world.start();
  await world.emit([1]);
  await until('the failure', () => world.deliveries('sub_1').length === 1);
  const second = await world.log.end('channels', 0);
  await world.emit([2]);
  const third = await world.log.end('channels', 0);
  await world.emit([3]);
  const [one, two] = ['() => ({ body: "first" })', '() => ({ body: "second" })'];
  const data = {
    subscriptionId: 'sub_1',
    partition: 0,
    filters: [since(one), since(two, second), since(undefined, third)],
  };
  await world.append('subscriptions', world.record('FilterDefined', 'sub_1/filter', data));
  await world.stop(0);
  world.webhook.script = () => ({ status: 200 });
  world.clockAheadMs = 3 * 3_600_000;
  await world.start();
  await counted({ delivered: 3 });
  const bodies = world.webhook.calls.map((call) => JSON.parse(call.request.body) as unknown);
  expect(bodies).toEqual(['first', 'first', 'second', { n: 3, emitterId: 'dc_a' }]);
  const [first, again] = world.webhook.calls.map((call) => call.request.headers['webhook-id']);
  expect(again).toBe(first);
});

test('a trial is answered to the gateway that waits: compiled, tried, or what is wrong; an old one is not answered', async () => {
  const replies: Reply[] = [];
  world.log.onReply('gw_1', (reply) => replies.push(reply));
  await world.start();
  const requestTrial = async (transform: string, more: object = {}, at = Date.now()): Promise<void> => {
    const data = { subscriptionId: 'sub_1', emitterId: 'dc_a', replyTo: 'gw_1', transform, ...more };
    const record = { ...world.record('TransformTrialRequested', 'sub_1', data), at };
    await world.log.request({ topic: 'requests', partition: 0, record } as never);
  };
  const metadata = { event_id: '1-0', event_name: '', emitter_id: 'dc_a', subscription_id: 'sub_1', emitted_at_ms: 1 };
  await requestTrial('() => null', {}, Date.now() - 60_000);
  await requestTrial('() => null');
  await requestTrial('() => (', {});
  await requestTrial('({ n }) => ({ body: n })', { on: { event: { n: 3 }, metadata } });
  await until('the answers', () => replies.length === 3);
  expect(replies).toMatchObject([
    { type: 'TransformTried', outcome: { kind: 'compiled' } },
    { outcome: { kind: 'failed', error: { message: expect.any(String) as string } } },
    { outcome: { kind: 'sent', body: '3', headers: {} } },
  ]);
});
