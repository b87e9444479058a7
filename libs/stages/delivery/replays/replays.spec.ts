// Replays send past events again while new ones continue, and nothing is lost or moved, whatever is interrupted.
import { jest } from '@jest/globals';
import type { ReplayPosition } from '../../../domain/delivery/replay/position.ts';
import type { CursorCounters } from '../../../domain/delivery/messages.ts';
import { pause, until } from '../../../../test/support/until.ts';
import { upTo } from '../delivery.world.fake.ts';
import { ReplayWorld } from './spec/replay-world.fake.ts';

const number = (value: number): ReplayPosition => ({ by: 'sequence', value });
/** The subscription's own cursor, which replays must not change. */
const live = 'sub_1/dc_a';

let world: ReplayWorld;
afterEach(async () => {
  await world.end();
  jest.useRealTimers();
});

/** From here on, time goes on as it does, and also by what a test adds to it. */
const useMovableTime = (): void =>
  void jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });

const countersOf = (key: string): CursorCounters => world.cursor(key)?.data['counters'] as CursorCounters;

test('every event is sent again in order with its original id and body, and the live cursor does not move', async () => {
  world = await ReplayWorld.with();
  await world.start();
  await world.emit(upTo(20));
  await until('all live', () => world.finished(live) === 20);
  const before = countersOf(live);
  await world.requestReplay('rpl_1');
  await world.whenDone('rpl_1');
  expect(world.resent('rpl_1')).toEqual(upTo(20));
  for (const n of upTo(20)) {
    const [first, again] = world.webhook.calls.filter(({ request }) => request.body.includes(`"n":${n},`));
    expect(again?.request.body).toBe(first?.request.body);
    expect(again?.request.headers['webhook-id']).toBe(first?.request.headers['webhook-id']);
    expect(again?.request.headers).toMatchObject({ 'webhook-replay': 'true', 'webhook-replay-id': 'rpl_1' });
    expect(first?.request.headers).not.toHaveProperty('webhook-replay');
  }
  expect(world.replay('rpl_1')).toMatchObject({ total: 20, open: [], counters: { delivered: 20, parked: 0 } });
  await world.emit([21]);
  await until('the next one', () => world.finished(live) === 21);
  expect(countersOf(live)).toEqual({ ...before, published: 21, delivered: 21 });
  expect(world.sentLive()).toEqual(upTo(21));
});

test('new events continue while a replay waits for its receiver', async () => {
  world = await ReplayWorld.with();
  await world.start();
  await world.emit(upTo(3));
  await until('all live', () => world.finished(live) === 3);
  world.webhook.script = ({ headers }) => (headers['webhook-replay'] === undefined ? { status: 200 } : 'hangs');
  await world.requestReplay('rpl_1');
  await until('the replay to begin', () => world.resent('rpl_1').length === 1);
  await world.emit([4, 5, 6]);
  await until('new events', () => world.finished(live) === 6);
  expect(world.resent('rpl_1')).toEqual([1]);
});

test('first attempts say whether a replay may have sent their event before, also after a restart', async () => {
  world = await ReplayWorld.with({ retrySchedule: [1] });
  let isRefused = true;
  world.webhook.script = ({ body, headers }) => ({
    status: isRefused && body.includes('"n":2,') && headers['webhook-replay'] === undefined ? 500 : 200,
  });
  await world.start();
  await world.emit(upTo(3));
  await until('the second to fail', () => world.sentLive().length === 2);
  await world.requestReplay('rpl_0', { dryRun: true });
  await world.whenDone('rpl_0');
  await world.requestReplay('rpl_1', { from: number(1) });
  await world.whenDone('rpl_1');
  await world.stop(0);
  isRefused = false;
  await world.start();
  await until('all live', () => world.finished(live) === 3);
  await world.emit([4]);
  await until('the next one', () => world.finished(live) === 4);
  const firsts = world.log
    .records('deliveries')
    .map(({ data }) => data as { attempt: number; replayId?: string; afterReplay?: boolean })
    .filter(({ attempt, replayId }) => attempt === 1 && replayId === undefined);
  expect(firsts.map(({ afterReplay }) => afterReplay)).toEqual([undefined, undefined, true, undefined]);
});

test('a repeat from behind midnight finds the replay from before it, also after a restart', async () => {
  world = await ReplayWorld.with();
  await world.start();
  await world.emit(upTo(2));
  await until('all live', () => world.finished(live) === 2);
  await world.requestReplay('rpl_1');
  await world.requestReplay('rpl_2', { formerId: 'rpl_1' });
  await world.requestReplay('rpl_3', { formerId: 'rpl_none' });
  await world.whenDone('rpl_3');
  await world.stop(0);
  await world.start();
  await world.requestReplay('rpl_4', { formerId: 'rpl_1' });
  await world.requestReplay('rpl_5');
  await world.whenDone('rpl_5');
  expect(['rpl_1', 'rpl_2', 'rpl_3', 'rpl_4', 'rpl_5'].map((id) => world.resent(id).length)).toEqual([2, 0, 2, 0, 2]);
  expect([world.replay('rpl_2'), world.replay('rpl_4')]).toEqual([undefined, undefined]);
  expect(world.replay('rpl_3')).not.toHaveProperty('formerId');
});

test('a range by sequence includes both ends', async () => {
  world = await ReplayWorld.with();
  await world.start();
  await world.emit([1, 2], { emitterId: 'dc_b' });
  await world.emit(upTo(9));
  await world.emit([99], { channel: '$errors' });
  await until('all live', () => world.finished(live) === 9);
  await world.requestReplay('rpl_1', { from: number(3), to: number(5) });
  await world.requestReplay('rpl_2', { from: number(12) });
  await world.whenDone('rpl_1');
  expect(world.resent('rpl_1')).toEqual([3, 4, 5]);
  await until('a refusal', () => world.replay('rpl_2')?.reason === 'no_such_sequence');
});

test('a dry run counts events and sends nothing', async () => {
  world = await ReplayWorld.with();
  await world.start();
  const ids = await world.emit(upTo(5));
  await until('all live', () => world.finished(live) === 5);
  await world.requestReplay('rpl_1', { dryRun: true, from: number(2) });
  await world.whenDone('rpl_1');
  expect(world.replay('rpl_1')).toMatchObject({ total: 4, ends: { first: ids[1], last: ids[4] } });
  expect(world.webhook.calls).toHaveLength(5);
});

test('a dry run leaves out what is deleted, of all events and of the parked ones', async () => {
  world = await ReplayWorld.with({ ordered: false, retrySchedule: [] });
  world.webhook.script = ({ body }) => ({ status: /"n":[2457],/.test(body) ? 500 : 200 });
  await world.start();
  const ids = await world.emit(upTo(8));
  await until('all live', () => world.finished(live) === 8);
  await world.delete({ startId: null, endId: ids[0] ?? null }, { startId: ids[3] ?? null, endId: ids[4] ?? null });
  await world.markAtEnd();
  await world.requestReplay('rpl_1', { dryRun: true });
  await world.whenDone('rpl_1');
  expect(world.replay('rpl_1')).toMatchObject({ total: 5, ends: { first: ids[1], last: ids[7] } });
  await world.requestReplay('rpl_2', { dryRun: true, only: 'parked' });
  await world.whenDone('rpl_2');
  expect(world.replay('rpl_2')).toMatchObject({ total: 2, ends: { first: ids[1], last: ids[6] } });
  world.webhook.script = () => ({ status: 200 });
  for (const [id, only] of [
    ['rpl_3', 'parked'],
    ['rpl_4', 'all'],
  ] as const) {
    await world.requestReplay(id, { only });
    await world.whenDone(id);
  }
  expect([world.resent('rpl_3').toSorted(), world.resent('rpl_4').toSorted()]).toEqual([
    [2, 7],
    [2, 3, 6, 7, 8],
  ]);
});

test.each([true, false])(
  'a killed replay continues and sends every event at least once, in order when ordered (%s)',
  async (ordered) => {
    world = await ReplayWorld.with({ ordered });
    await world.start();
    await world.emit(upTo(60));
    await until('all live', () => world.finished(live) === 60);
    await world.requestReplay('rpl_1');
    for (const stop of [15, 30, 45]) {
      await until('some', () => world.resent('rpl_1').length >= stop);
      await world.stop(0);
      await world.start();
    }
    await world.whenDone('rpl_1');
    const seen = world.resent('rpl_1');
    expect(new Set(seen)).toEqual(new Set(upTo(60)));
    const firsts = [...new Set(seen)];
    if (ordered) expect(firsts).toEqual(upTo(60));
    expect(world.replay('rpl_1')).toMatchObject({ counters: { published: 60, delivered: 60 } });
    expect(countersOf(live)).toMatchObject({ published: 60, delivered: 60 });
    expect(world.sentLive()).toHaveLength(60);
  },
);

test('deleted events are skipped and counted', async () => {
  world = await ReplayWorld.with();
  await world.start();
  const ids = await world.emit(upTo(10));
  await until('all live', () => world.finished(live) === 10);
  await world.delete({ startId: ids[2] ?? null, endId: ids[4] ?? null });
  await world.markAtEnd();
  await world.requestReplay('rpl_1');
  await world.whenDone('rpl_1');
  expect(world.resent('rpl_1')).toEqual([1, 2, 6, 7, 8, 9, 10]);
  expect(world.replay('rpl_1')).toMatchObject({ total: 10, counters: { delivered: 7, expired: { deleted: 3 } } });
});

test('a replay of parked events sends only those and moves each to delivered once', async () => {
  world = await ReplayWorld.with({ ordered: false, retrySchedule: [0] });
  world.webhook.script = ({ body }) => ({ status: /"n":[357],/.test(body) ? 500 : 200 });
  await world.start();
  await world.emit(upTo(8));
  await until('all live', () => world.finished(live) === 8);
  expect(countersOf(live)).toMatchObject({ delivered: 5, parked: 3 });
  world.webhook.script = ({ body }) => ({ status: body.includes('"n":7,') ? 500 : 200 });
  await world.requestReplay('rpl_1', { only: 'parked' });
  await world.whenDone('rpl_1');
  expect(world.resent('rpl_1').toSorted()).toEqual([3, 5, 7, 7]);
  expect(world.replay('rpl_1')).toMatchObject({ total: 3, counters: { delivered: 2, parked: 1 } });
  expect(countersOf(live)).toMatchObject({ published: 8, delivered: 7, parked: 1 });
  await world.requestReplay('rpl_2', { only: 'failed' });
  await world.whenDone('rpl_2');
  expect(new Set(world.resent('rpl_2'))).toEqual(new Set([3, 5, 7]));
  world.webhook.script = () => ({ status: 200 });
  await world.requestReplay('rpl_3');
  await world.whenDone('rpl_3');
  expect(countersOf(live)).toMatchObject({ published: 8, delivered: 8, parked: 0 });
  await world.requestReplay('rpl_4');
  await world.whenDone('rpl_4');
  expect(countersOf(live)).toMatchObject({ published: 8, delivered: 8, parked: 0 });
});

test('an event parked during a replay moves to delivered when the replay delivers it', async () => {
  useMovableTime();
  world = await ReplayWorld.with({ ordered: false, retrySchedule: [1] });
  world.webhook.script = ({ headers, body }) => ({
    status: headers['webhook-replay'] === undefined && body.includes('"n":3,') ? 500 : 200,
  });
  await world.start();
  await world.emit(upTo(3));
  await until('the first attempts', () => countersOf(live)?.delivered === 2);
  await world.requestReplay('rpl_1', { rate: 1 });
  await until('the replay to begin', () => world.resent('rpl_1').length === 1);
  await jest.advanceTimersByTimeAsync(1_000);
  await until('the third to be parked', () => countersOf(live).parked === 1);
  await jest.advanceTimersByTimeAsync(1_000);
  await world.whenDone('rpl_1');
  await until('it to be counted', () => countersOf(live).parked === 0);
  expect(countersOf(live)).toMatchObject({ published: 3, delivered: 3, parked: 0 });
});

test('a parked event that a cancelled replay still delivers moves to delivered once', async () => {
  world = await ReplayWorld.with({ ordered: false, retrySchedule: [] });
  world.webhook.script = () => ({ status: 500 });
  await world.start();
  await world.emit(upTo(3));
  await until('all to be parked', () => countersOf(live)?.parked === 3);
  world.webhook.script = () => 'hangs';
  const ids = ['rpl_1', 'rpl_2'];
  for (const id of ids) await world.requestReplay(id, { only: 'parked' });
  await until('all to be in flight', () => ids.every((id) => world.resent(id).length === 3));
  for (const id of ids) {
    await world.cancel(id);
    await until('its end', () => world.replay(id)?.reason === 'requested');
  }
  for (const call of world.webhook.calls.slice(3)) call.settle({ status: 200 });
  await until('all to be counted', () => ids.every((id) => world.replay(id)?.counters.delivered === 3));
  expect(countersOf(live)).toMatchObject({ published: 3, delivered: 3, parked: 0 });
});

test('a replay that blocks raises an alert, which ends when it is cancelled, also while it is tried again', async () => {
  world = await ReplayWorld.with({ onExhausted: 'block', retrySchedule: [] });
  await world.start();
  await world.emit(upTo(2));
  await until('all live', () => world.finished(live) === 2);
  const blocks = () => world.liveAlerts.has('delivery_blocked/sub_1');
  world.webhook.script = () => ({ status: 500 });
  await world.requestReplay('rpl_1');
  await until('the alert', blocks);
  await world.cancel('rpl_1');
  await until('its end', () => !blocks());
  world.webhook.script = () => 'hangs';
  await world.requestReplay('rpl_2');
  await until('an attempt', () => world.webhook.inFlight === 1);
  await world.cancel('rpl_2');
  await until('the end of the replay', () => world.replay('rpl_2')?.reason === 'requested');
  const records = world.deliveries('sub_1').length;
  world.webhook.calls.at(-1)?.settle({ status: 500 });
  await until('the record of the attempt', () => world.deliveries('sub_1').length > records);
  expect(blocks()).toBe(false);
});

test('a cancelled replay starts nothing more and is removed with its subscription', async () => {
  world = await ReplayWorld.with();
  await world.start();
  await world.emit(upTo(30));
  await until('all live', () => world.finished(live) === 30);
  await world.requestReplay('rpl_1', { rate: 20 });
  await until('some', () => world.resent('rpl_1').length >= 2);
  await world.cancel('rpl_1');
  await until('its end', () => world.replay('rpl_1')?.reason === 'requested');
  await world.emit([31]);
  await until('the next one', () => world.finished(live) === 31);
  expect(world.resent('rpl_1').length).toBeLessThan(30);
  await world.unsubscribe('sub_1');
  await until('its tombstone', () => world.replay('rpl_1') === undefined);
  await world.stop();
  await world.start();
  await world.markAtEnd();
  expect(world.replay('rpl_1')).toBeUndefined();
});

test('a replay keeps to its rate', async () => {
  world = await ReplayWorld.with({ ordered: false });
  await world.start();
  await world.emit(upTo(20));
  await until('all live', () => world.finished(live) === 20);
  const startedAt = performance.now();
  await world.requestReplay('rpl_1', { rate: 100 });
  await world.whenDone('rpl_1');
  expect(performance.now() - startedAt).toBeGreaterThan(19 * 10 - 60);
});

test('four replays of a subscription run and the others wait for their turn, even after a restart', async () => {
  world = await ReplayWorld.with();
  await world.start();
  await world.emit([1, 2]);
  await until('all live', () => world.finished(live) === 2);
  world.webhook.script = () => 'hangs';
  for (const n of upTo(6)) await world.requestReplay(`rpl_${n}`);
  await until('four to begin', () => upTo(4).every((n) => world.resent(`rpl_${n}`).length === 1));
  expect(upTo(6).map((n) => world.replay(`rpl_${n}`)?.state)).toEqual([
    ...upTo(4).map(() => 'running'),
    'pending',
    'pending',
  ]);
  await world.stop(0);
  world.webhook.script = () => ({ status: 200 });
  await world.start();
  for (const n of upTo(6)) await world.whenDone(`rpl_${n}`);
  for (const n of upTo(6)) expect([...new Set(world.resent(`rpl_${n}`))]).toEqual([1, 2]);
});

test('a dry run waits for no replay that sends', async () => {
  world = await ReplayWorld.with();
  await world.start();
  await world.emit([1, 2]);
  await until('all live', () => world.finished(live) === 2);
  world.webhook.script = () => 'hangs';
  for (const n of upTo(5)) await world.requestReplay(`rpl_${n}`);
  await until('four to begin', () => upTo(4).every((n) => world.resent(`rpl_${n}`).length === 1));
  await world.requestReplay('rpl_dry', { dryRun: true });
  await world.whenDone('rpl_dry');
  expect(world.replay('rpl_dry')).toMatchObject({ total: 2 });
  expect(world.replay('rpl_5')).toMatchObject({ state: 'pending' });
});

test('a replay of a subscription that is still looking for its first events runs once they are found', async () => {
  world = new ReplayWorld({ flushMs: 2 });
  await world.addKey();
  await world.addWebhook('wh_1');
  await world.start();
  await world.emit(upTo(2_000));
  await world.markAtEnd();
  await world.subscribe('sub_1', { listenerId: 'wh_1', channelEnd: 0 });
  await world.requestReplay('rpl_1', { rate: 10_000 });
  await world.whenDone('rpl_1');
  await until('all live', () => world.finished(live) === 2_000);
  expect(world.resent('rpl_1')).toEqual(upTo(2_000));
});

test('a replay to a deleted webhook ends, and one to a disabled webhook waits', async () => {
  world = await ReplayWorld.with();
  await world.start();
  await world.emit(upTo(5));
  await until('all live', () => world.finished(live) === 5);
  world.webhook.script = () => 'hangs';
  await world.requestReplay('rpl_1');
  await until('it to begin', () => world.resent('rpl_1').length === 1);
  await world.disable('wh_1');
  await world.requestReplay('rpl_2');
  await until('the other to be taken', () => world.replay('rpl_2')?.state === 'pending');
  expect([world.replay('rpl_1')?.state, world.resent('rpl_2')]).toEqual(['running', []]);
  await world.deleteWebhook('wh_1');
  for (const id of ['rpl_1', 'rpl_2'])
    await until(
      'its end',
      () => world.replay(id)?.state === 'cancelled' && world.replay(id)?.reason === 'webhook_deleted',
    );
});

test('an event parked just after a replay delivered it stays parked, and the next replay delivers it', async () => {
  world = await ReplayWorld.with({ ordered: false, retrySchedule: [] }, [], { flushMs: 300 });
  world.webhook.script = () => 'hangs';
  await world.start();
  await world.emit(upTo(2));
  await until('both attempts', () => world.webhook.inFlight === 2);
  await world.requestReplay('rpl_1');
  await until('those of the replay', () => world.webhook.inFlight === 4);
  const [one, two, again, twoAgain] = world.webhook.calls;
  for (const [call, status] of [
    [one, 200],
    [twoAgain, 200],
    [two, 500],
    [again, 200],
  ] as const) {
    call?.settle({ status });
    await pause(0);
  }
  await world.whenDone('rpl_1');
  expect(countersOf(live)).toMatchObject({ published: 2, delivered: 1, parked: 1 });
  world.webhook.script = () => ({ status: 200 });
  for (const kill of [false, true]) {
    if (kill) await world.stop(0);
    if (kill) await world.start();
    await world.requestReplay(`rpl_parked${kill}`, { only: 'parked' });
    await world.whenDone(`rpl_parked${kill}`);
  }
  expect(countersOf(live)).toMatchObject({ published: 2, delivered: 2, parked: 0 });
});

test('while the time of a replay is looked up, new events, other replays and other requests go on', async () => {
  world = await ReplayWorld.with();
  await world.start();
  await world.emit(upTo(5));
  await until('all live', () => world.finished(live) === 5);
  const { promise, resolve } = Promise.withResolvers<void>();
  const read = world.log.read.bind(world.log);
  let looking = 0;
  world.log.read = async (topic, partition, from, bounds) => {
    const looksUp = topic === 'channels' && bounds.bytesMax === 1 && (bounds.to ?? 0) > from + 1;
    if (looksUp) looking++;
    if (looksUp) await promise;
    return read(topic, partition, from, bounds);
  };
  await world.requestReplay('rpl_1', { from: { by: 'time', value: 1 } });
  await until('the look-up', () => looking === 1);
  await world.requestReplay('rpl_2');
  await world.whenDone('rpl_2');
  await world.emit([6]);
  await until('the new event', () => world.finished(live) === 6);
  await world.requestReplay('rpl_3', { from: { by: 'time', value: 1 } });
  await world.cancel('rpl_3');
  await until('the end of the third', () => world.replay('rpl_3')?.state === 'cancelled');
  expect(world.resent('rpl_1')).toEqual([]);
  resolve();
  await world.whenDone('rpl_1');
  expect(world.resent('rpl_1')).toEqual(upTo(5));
});
