// Requests retry or discard single deliveries exactly once, even across a kill.
import type { CursorCounters } from '../../../domain/delivery/messages.ts';
import { finishedOf } from '../../../domain/delivery/cursor.ts';
import { pause, until } from '../../../../test/support/until.ts';
import { upTo } from '../delivery.world.fake.ts';
import { ReplayWorld } from '../replays/spec/replay-world.fake.ts';
import { requestAct, requestsCarriedOut, type ViewState } from './act-world.fake.ts';

const live = 'sub_1/dc_a';
/** Long enough for an attempt to end, and for a request to be carried out. */
const heldMs = 50;
let world: ReplayWorld;
afterEach(() => world.end());

const counters = (): CursorCounters => world.cursor(live)?.data['counters'] as CursorCounters;
const typesOf = (): string[] => world.deliveries('sub_1').map(({ type }) => type);
const attemptsOf = ({ data }: ReturnType<ReplayWorld['deliveries']>[number]) => data['attempt'] ?? data['attempts'];
const callsOf = (n: number) =>
  world.webhook.calls.filter(({ request }) => (JSON.parse(request.body) as { n: number }).n === n);
const answer = (n: number, status: number): void => {
  world.webhook.script = ({ body }) => ({ status: body.includes(`"n":${n},`) ? status : 200 });
};

const act = (type: 'Retry' | 'Discard', n: number, isParked: boolean, view?: ViewState) =>
  requestAct(world, type, { n, isParked }, view);
const actsCarriedOut = (): Promise<void> => requestsCarriedOut(world);

/** Emits three events, of which the second becomes parked. */
async function parkSecond(): Promise<ReplayWorld> {
  world = await ReplayWorld.with({ retrySchedule: [] });
  answer(2, 500);
  await world.start();
  await world.emit(upTo(3));
  await until('all to be finished', () => world.finished(live) === 3);
  expect(counters()).toMatchObject({ delivered: 2, parked: 1 });
  return world;
}

test('a successful retry moves a parked delivery to delivered once, however often it was requested', async () => {
  await parkSecond();
  answer(2, 200);
  const below = await world.log.end('deliveries', 0);
  await Promise.all([
    act('Retry', 2, true, { below }),
    act('Retry', 2, true, { below }),
    act('Retry', 2, true, { below }),
  ]);
  await until('it to be delivered', () => counters().delivered === 3);
  await act('Retry', 2, true, { below });
  await actsCarriedOut();
  expect(counters()).toMatchObject({ published: 3, delivered: 3, parked: 0 });
  expect(callsOf(2)).toHaveLength(2);
  expect(typesOf().slice(-2)).toEqual(['DeliveryReopened', 'DeliveryAttempted']);
  expect(world.deliveries('sub_1').at(-1)?.data).toMatchObject({ attempt: 2, outcome: 'delivered' });
  const [first, second] = callsOf(2).map(({ request }) => request.headers['webhook-id']);
  expect(second).toBe(first);
  expect(world.isRemoved(`${live}/again-1`)).toBe(true);
});

test('a failed retry parks the delivery again, and it can be retried once more', async () => {
  await parkSecond();
  for (const attempts of [2, 3]) {
    await act('Retry', 2, true);
    await until('it to be parked again', () => callsOf(2).length === attempts && counters().parked === 1);
    expect(counters()).toMatchObject({ published: 3, delivered: 2 });
  }
});

test('a retry interrupted by a kill runs after the restart and counts once', async () => {
  await parkSecond();
  world.webhook.script = () => 'hangs';
  await act('Retry', 2, true);
  await until('the attempt', () => callsOf(2).length === 2);
  await actsCarriedOut();
  expect(counters()).toMatchObject({ published: 3, delivered: 2, parked: 0 });
  await world.stop(0);
  world.webhook.script = () => ({ status: 200 });
  await world.start();
  await until('it to be delivered', () => counters().delivered === 3);
  expect(counters()).toMatchObject({ published: 3, parked: 0 });
});

test('a retry that finished before a kill does not run again, even if the mark had not passed its request', async () => {
  await parkSecond();
  const below = await world.log.end('deliveries', 0);
  const request = await act('Retry', 2, true, { below });
  await until('it to be parked again', () => callsOf(2).length === 2 && counters().parked === 1);
  await actsCarriedOut();
  await world.stop(0);
  await world.start();
  await world.log.request(request);
  await actsCarriedOut();
  expect(callsOf(2)).toHaveLength(2);
  expect(counters()).toMatchObject({ published: 3, delivered: 2, parked: 1 });
});

test('an event deleted after the views were read is not sent', async () => {
  await parkSecond();
  const channelsBelow = await world.log.end('channels', 0);
  await world.delete();
  await act('Retry', 2, true, { channelsBelow });
  await actsCarriedOut();
  expect(callsOf(2)).toHaveLength(1);
  expect(counters()).toMatchObject({ published: 3, delivered: 2, parked: 1 });
});

test('a waiting delivery is tried now, and not again at its former time', async () => {
  world = await ReplayWorld.with({ retrySchedule: [1, 86_400] });
  answer(1, 500);
  await world.start();
  await world.emit(upTo(2));
  await until('the failure', () => callsOf(1).length === 1 && typesOf().length === 1);
  await act('Retry', 1, false);
  await until('the next one', () => callsOf(1).length === 2 && typesOf().length === 2);
  expect(callsOf(2)).toHaveLength(0);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(callsOf(1)).toHaveLength(2);
  answer(1, 200);
  await act('Retry', 1, false);
  await until('both', () => counters()?.delivered === 2);
  expect(callsOf(1)).toHaveLength(3);
});

test('a blocking event is discarded, and the others continue; the counters add up', async () => {
  world = await ReplayWorld.with({ retrySchedule: [], onExhausted: 'block' });
  answer(1, 500);
  await world.start();
  await world.emit(upTo(3));
  await until('the failure', () => typesOf().length === 1);
  expect(callsOf(2)).toHaveLength(0);
  await act('Discard', 1, false);
  await until('the others', () => counters()?.delivered === 2);
  expect(counters()).toMatchObject({ published: 3, parked: 0, expired: { discarded: 1 } });
  expect(typesOf()).toContain('DeliveryDiscarded');
  expect(world.liveAlerts.size).toBe(0);
});

test('a parked or waiting event is discarded once, and no attempt follows', async () => {
  await parkSecond();
  const below = await world.log.end('deliveries', 0);
  for (let n = 0; n < 3; n++) await act('Discard', 2, true, { below });
  await act('Retry', 2, true, { below });
  await actsCarriedOut();
  expect(counters()).toMatchObject({ published: 3, delivered: 2, parked: 0, expired: { discarded: 1 } });
  expect(callsOf(2)).toHaveLength(1);
  expect(typesOf().filter((type) => type === 'DeliveryDiscarded')).toHaveLength(1);
});

test('an attempt in flight for a discarded event is recorded when it ends, and changes no counter', async () => {
  world = await ReplayWorld.with();
  world.webhook.script = () => 'hangs';
  await world.start();
  await world.emit(upTo(1));
  await until('the attempt', () => callsOf(1).length === 1);
  await act('Discard', 1, false);
  await actsCarriedOut();
  world.webhook.calls[0]?.settle({ status: 500 });
  await until('its record', () => typesOf().length === 2);
  expect(typesOf()).toEqual(['DeliveryDiscarded', 'DeliveryAttempted']);
  expect(world.deliveries('sub_1').at(-1)?.data).toMatchObject({ outcome: 'failed', nextAttemptAt: null });
  expect(counters()).toMatchObject({ published: 1, delivered: 0, parked: 0, expired: { discarded: 1 } });
});

test.each(['Retry', 'Discard'] as const)(
  'an event whose retry has failed while nothing reached the log is parked again: a %s acts on it once more',
  async (type) => {
    await parkSecond();
    world.webhook.script = () => 'hangs';
    const written = world.log.holdAppends();
    await act('Retry', 2, true);
    await until('the retry', () => callsOf(2).length === 2);
    callsOf(2).at(-1)?.settle({ status: 500 });
    await pause(heldMs);
    await act(type, 2, true);
    await pause(heldMs);
    written();
    await actsCarriedOut();
    if (type === 'Retry') await until('the next retry', () => callsOf(2).length === 3);
    callsOf(2).at(-1)?.settle({ status: 200 });
    await until('its end', () => counters().parked === 0 && counters().published === finishedOf(counters()));
    const again = [
      ['DeliveryReopened', 1],
      ['DeliveryAttempted', 2],
      ['DeliveryParked', 2],
    ];
    const last = {
      Retry: [
        ['DeliveryReopened', 2],
        ['DeliveryAttempted', 3],
      ],
      Discard: [['DeliveryDiscarded', 2]],
    }[type];
    const records = world.deliveries('sub_1').map((record) => [record.type, attemptsOf(record)]);
    expect(records.slice(-again.length - last.length)).toEqual([...again, ...last]);
  },
);

test('a replay and a retry never count the same delivery twice', async () => {
  await parkSecond();
  const below = await world.log.end('deliveries', 0);
  answer(2, 200);
  await world.requestReplay('rpl_1', { only: 'parked' });
  await world.whenDone('rpl_1');
  await act('Retry', 2, true, { below });
  await actsCarriedOut();
  expect(counters()).toMatchObject({ published: 3, delivered: 3, parked: 0 });
  expect(callsOf(2)).toHaveLength(2);
  await world.requestReplay('rpl_2', { only: 'failed' });
  await world.whenDone('rpl_2');
  expect(counters()).toMatchObject({ published: 3, delivered: 3, parked: 0 });
});

test('an event that a replay delivers while a retry of it is looked into counts once, and is not sent again', async () => {
  world = await ReplayWorld.with({ retrySchedule: [] });
  world.webhook.script = ({ body }) => ({ status: body.includes('"n":1,') ? 200 : 500 });
  await world.start();
  await world.emit(upTo(3));
  await until('all to be finished', () => world.finished(live) === 3);
  world.webhook.script = () => 'hangs';
  await world.requestReplay('rpl_1', { only: 'parked' });
  await until('the replay of the second event', () => callsOf(2).length === 2);
  const read = world.log.read.bind(world.log);
  const { promise: looked, resolve: look } = Promise.withResolvers<void>();
  let isLooking = false;
  world.log.read = async (topic, ...of) => {
    isLooking ||= topic === 'channels';
    if (topic === 'channels') await looked;
    return read(topic, ...of);
  };
  await act('Retry', 2, true, { channelsBelow: 0 });
  await until('the look at what was deleted', () => isLooking);
  callsOf(2)[1]?.settle({ status: 200 });
  await until('the replay to deliver it', () => counters().delivered === 2);
  look();
  await actsCarriedOut();
  expect(callsOf(2)).toHaveLength(2);
  expect(counters()).toMatchObject({ published: 3, delivered: 2, parked: 1 });
});

test('a parked event that is deleted while a replay tries it again counts as delivered if it arrives', async () => {
  await parkSecond();
  await world.changeWebhook('wh_1', { retrySchedule: [0.001, 1] });
  world.webhook.script = () => (callsOf(2).length === 2 ? { status: 500 } : 'hangs');
  await world.requestReplay('rpl_1', { only: 'parked' });
  await until('the second attempt of the replay', () => callsOf(2).length === 3);
  await world.delete();
  await until('the replay to be done', () => world.replay('rpl_1')?.state === 'done');
  callsOf(2)[2]?.settle({ status: 200 });
  await until('its record', () => world.deliveries('sub_1').at(-1)?.data['outcome'] === 'delivered');
  await until('the counters', () => counters().parked === 0);
  expect(counters()).toMatchObject({ published: 3, delivered: 3, parked: 0 });
});

test('nothing is tried for a paused subscription, and a request for an unknown one is ignored', async () => {
  await parkSecond();
  await world.disable('wh_1');
  await act('Retry', 1, false);
  await actsCarriedOut();
  expect(callsOf(1)).toHaveLength(1);
  await world.unsubscribe('sub_1');
  await act('Discard', 2, true);
  await actsCarriedOut();
  expect(world.fatal).toEqual([]);
});

test('a parked delivery whose event is deleted is discarded once, with its place or without it', async () => {
  await parkSecond();
  const below = await world.log.end('deliveries', 0);
  await world.delete();
  await world.markAtEnd();
  const deletedView = { below, isDeleted: true };
  await act('Retry', 2, true, deletedView);
  await Promise.all([
    act('Discard', 2, true, deletedView),
    act('Discard', 2, true, { below }),
    act('Discard', 2, true, deletedView),
  ]);
  await act('Discard', 2, true, deletedView);
  await actsCarriedOut();
  await until('it to be discarded', () => counters().expired.discarded === 1);
  expect(counters()).toMatchObject({ published: 3, delivered: 2, parked: 0 });
  await world.stop(0);
  await world.start();
  await act('Discard', 2, true, deletedView);
  await actsCarriedOut();
  expect(counters()).toMatchObject({ published: 3, delivered: 2, parked: 0, expired: { discarded: 1 } });
  expect(typesOf().filter((type) => type === 'DeliveryDiscarded')).toHaveLength(1);
  expect(callsOf(2)).toHaveLength(1);
});

test('an event that was retried and parked again is discarded without its offset', async () => {
  await parkSecond();
  await act('Retry', 2, true);
  await until('it to be parked again', () => callsOf(2).length === 2 && counters().parked === 1);
  await world.delete();
  await act('Discard', 2, true, { isDeleted: true });
  await until('it to be discarded', () => counters().expired.discarded === 1);
  expect(counters()).toMatchObject({ published: 3, delivered: 2, parked: 0 });
});

test('an event that a listening source could not get is discarded, and not passed on again', async () => {
  const failing = { channelEnds: [], filter: null, transform: '() => { throw new Error("bad"); }' };
  world = await ReplayWorld.with({}, [failing]);
  await world.append(
    'subscriptions',
    world.record('FilterDefined', 'sub_s/filter', { subscriptionId: 'sub_s', partition: 0, filters: [failing] }),
  );
  await world.subscribe('sub_s', { listenerId: 'dc_l', channelEnd: 0 });
  await world.start();
  await world.emit([1]);
  const ofSource = () => world.cursor('sub_s/dc_a')?.data['counters'] as CursorCounters | undefined;
  await until('it to be parked', () => ofSource()?.parked === 1);
  const about = { n: 1, isParked: true, subscriptionId: 'sub_s' };
  await requestAct(world, 'Retry', about);
  await requestAct(world, 'Discard', about);
  await actsCarriedOut();
  await until('it to be discarded', () => ofSource()?.expired.discarded === 1);
  expect(ofSource()).toMatchObject({ published: 1, delivered: 0, parked: 0 });
  expect(world.log.records('triggers')).toEqual([]);
});
