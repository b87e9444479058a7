// Replays beside what changes their webhook: a pause, another url, and a filter of the subscription.
import { until } from '../../../../test/support/until.ts';
import { DeliveryWorld, upTo } from '../delivery.world.fake.ts';

const live = 'sub_1/dc_a';
let world: DeliveryWorld;
afterEach(() => world.end());

async function worldWith(filters: readonly unknown[] = []): Promise<void> {
  world = new DeliveryWorld({ flushCompletions: 3, flushMs: 2 });
  await world.addKey();
  await world.addWebhook('wh_1', { retrySchedule: [0] });
  if (filters.length > 0) {
    const data = { subscriptionId: 'sub_1', partition: 0, filters };
    await world.tell('subscriptions', world.record('FilterDefined', 'sub_1/filter', data));
  }
  await world.subscribe('sub_1', { listenerId: 'wh_1', channelEnd: 0 });
  await world.start();
}

async function ask(replayId: string): Promise<void> {
  const order = { replayId, subscriptionId: 'sub_1', emitterId: 'dc_a', only: 'all', rate: null, fingerprint: null };
  const data = { ...order, from: { by: 'earliest', value: 0 }, to: { by: 'now', value: 0 } };
  const record = world.record('ReplayRequested', 'sub_1', data);
  await world.log.request({ topic: 'requests', partition: 0, record: record as never });
}

interface Stands {
  readonly state: string;
  readonly total: number | null;
  readonly counters: { readonly delivered: number };
}
const replay = (replayId: string): Stands | undefined =>
  world.log.records('replays').findLast(({ key }) => key === replayId)?.data as Stands | undefined;

const resent = (replayId: string) =>
  world.webhook.calls.filter(({ request }) => request.headers['webhook-replay-id'] === replayId);
const numbers = (replayId: string): number[] =>
  resent(replayId).map(({ request }) => (JSON.parse(request.body) as { n: number }).n);

test('a paused replay goes on where it was, at the url that its webhook has by then, and sends nothing twice', async () => {
  await worldWith();
  await world.emit(upTo(5));
  await until('all live', () => world.finished(live) === 5);
  world.webhook.script = () => 'hangs';
  await ask('rpl_1');
  await until('it to begin', () => resent('rpl_1').length === 1);
  await world.disable('wh_1');
  await ask('rpl_2');
  await until('the other to be taken', () => replay('rpl_2')?.state === 'pending');
  world.webhook.script = () => ({ status: 200 });
  resent('rpl_1')[0]?.settle({ status: 500 });
  const url = 'https://moved.example/in';
  await world.changeWebhook('wh_1', { url, disabled: false, generation: 1 });
  for (const id of ['rpl_1', 'rpl_2']) await until(`${id} to be done`, () => replay(id)?.state === 'done');
  expect(numbers('rpl_1')).toEqual([1, 1, 2, 3, 4, 5]);
  expect(numbers('rpl_2')).toEqual([1, 2, 3, 4, 5]);
  expect(new Set(resent('rpl_2').map(({ request }) => request.url))).toEqual(new Set([url]));
  expect(replay('rpl_1')?.counters.delivered).toBe(5);
});

test('what a filter left out is in no replay and in no count of one', async () => {
  await worldWith([{ channelEnds: [], filter: { n: [{ numeric: ['<=', 3] }] } }]);
  await world.emit(upTo(10));
  await until('all to be counted', () => world.finished(live) === 10);
  await ask('rpl_1');
  await until('its end', () => replay('rpl_1')?.state === 'done');
  expect(numbers('rpl_1')).toEqual([1, 2, 3]);
  expect(replay('rpl_1')).toMatchObject({ total: 3, counters: { delivered: 3 } });
});
