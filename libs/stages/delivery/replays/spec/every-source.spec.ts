// Replays of every source send each source's events in order, without waiting for other sources, and count them there.
import { jest } from '@jest/globals';
import type { CursorCounters } from '../../../../domain/delivery/messages.ts';
import { until } from '../../../../../test/support/until.ts';
import { upTo } from '../../delivery.world.fake.ts';
import { ReplayWorld } from './replay-world.fake.ts';

const sources = ['dc_a', 'dc_b', 'dc_c'];

let world: ReplayWorld;
afterEach(async () => {
  await world.end();
  expect(world.fatal).toEqual([]);
});

/** A subscription to every source that has received `count` events of each of the three. */
async function had(count: number, settings: object = {}): Promise<void> {
  world = await ReplayWorld.with();
  await world.addWebhook('wh_all', settings);
  await world.subscribe('sub_all', { listenerId: 'wh_all', emitterId: 'dc_*', channelEnd: 0 });
  await world.start();
  for (const n of upTo(count)) for (const emitterId of sources) await world.emit([n], { emitterId });
  await until('all live', () => sources.every((id) => finished(id) === count));
}

const finished = (emitterId: string): number => world.finished(`sub_all/${emitterId}`);
const countersOf = (emitterId: string): CursorCounters =>
  world.cursor(`sub_all/${emitterId}`)?.data['counters'] as CursorCounters;
const requestReplay = (replayId: string, over: object = {}): Promise<void> =>
  world.requestReplay(replayId, { subscriptionId: 'sub_all', emitterId: 'dc_*', ...over });
const resent = (replayId: string, emitterId: string): number[] =>
  world.webhook.calls
    .filter(({ request }) => request.headers['webhook-replay-id'] === replayId)
    .map(({ request }) => JSON.parse(request.body) as { n: number; emitterId: string })
    .filter((body) => body.emitterId === emitterId)
    .map(({ n }) => n);

test('every event of every source is sent again, in order per source, and the live cursors do not move', async () => {
  await had(10);
  await requestReplay('rpl_1');
  await world.whenDone('rpl_1');
  for (const id of sources) expect(resent('rpl_1', id)).toEqual(upTo(10));
  expect(world.replay('rpl_1')).toMatchObject({ total: 30, open: [], counters: { published: 30, delivered: 30 } });
  for (const id of sources) expect(countersOf(id)).toMatchObject({ published: 10, delivered: 10 });
});

test('a request is split once, and repeating it changes nothing', async () => {
  await had(2);
  await requestReplay('rpl_1');
  await requestReplay('rpl_1');
  await world.whenDone('rpl_1');
  await requestReplay('rpl_2', { dryRun: true });
  await world.whenDone('rpl_2');
  expect(world.replay('rpl_2')).toMatchObject({ total: 6, part: { partition: 0, of: 1 } });
  for (const id of sources) expect(resent('rpl_1', id)).toEqual([1, 2]);
});

test('a failing event holds up only events of its own source', async () => {
  await had(1, { retrySchedule: [3_600] });
  await world.emit([2, 3], { emitterId: 'dc_b' });
  await until('all live', () => finished('dc_b') === 3);
  world.webhook.script = ({ body }) => ({ status: body.includes('dc_a') ? 500 : 200 });
  await requestReplay('rpl_1');
  await until('the others', () => resent('rpl_1', 'dc_b').length === 3 && resent('rpl_1', 'dc_c').length === 1);
  expect(resent('rpl_1', 'dc_a')).toEqual([1]);
  await until('its record', () => world.replay('rpl_1')?.counters.delivered === 4);
  expect(world.replay('rpl_1')).toMatchObject({ state: 'running', open: [{ attempts: 1 }] });
});

test('a killed replay continues, sends each event at least once, and keeps the order of each source', async () => {
  await had(20);
  await requestReplay('rpl_1', { rate: 500 });
  for (const stop of [15, 30, 45]) {
    const all = (): number => sources.reduce((sum, id) => sum + resent('rpl_1', id).length, 0);
    await until('some', () => all() >= stop);
    await world.stop(0);
    await world.start();
  }
  await world.whenDone('rpl_1');
  for (const id of sources) expect([...new Set(resent('rpl_1', id))]).toEqual(upTo(20));
  expect(world.replay('rpl_1')).toMatchObject({ total: 60, counters: { published: 60, delivered: 60 } });
});

test('a parked event moves to delivered once, on the cursor of its own source', async () => {
  world = await ReplayWorld.with();
  world.webhook.script = ({ body }) => ({ status: /"n":2,"emitterId":"dc_[ab]"/.test(body) ? 500 : 200 });
  await world.addWebhook('wh_all', { retrySchedule: [] });
  await world.subscribe('sub_all', { listenerId: 'wh_all', emitterId: 'o_home', channelEnd: 0 });
  await world.start();
  for (const emitterId of sources) await world.emit([1, 2, 3], { emitterId });
  await until('all live', () => sources.every((id) => finished(id) === 3));
  world.webhook.script = () => ({ status: 200 });
  await requestReplay('rpl_1', { emitterId: 'o_home', only: 'parked' });
  await world.whenDone('rpl_1');
  expect(sources.map((id) => resent('rpl_1', id))).toEqual([[2], [2], []]);
  expect(world.replay('rpl_1')).toMatchObject({ total: 2, counters: { delivered: 2 } });
  for (const id of sources) expect(countersOf(id)).toMatchObject({ published: 3, delivered: 3, parked: 0 });
  await requestReplay('rpl_2', { emitterId: 'o_home', only: 'failed' });
  await world.whenDone('rpl_2');
  expect(world.replay('rpl_2')).toMatchObject({ total: 2, counters: { delivered: 2 } });
  for (const id of sources) expect(countersOf(id)).toMatchObject({ published: 3, delivered: 3, parked: 0 });
});

test('a replay skips and counts deleted events, even those deleted while it runs', async () => {
  await had(5);
  const ids = await world.emit([6, 7, 8]);
  await until('all live', () => finished('dc_a') === 8);
  await requestReplay('rpl_1', { rate: 100 });
  await until('it to begin', () => resent('rpl_1', 'dc_a').length > 0);
  await world.delete({ startId: ids[1] ?? null, endId: ids[1] ?? null });
  await world.whenDone('rpl_1');
  expect(resent('rpl_1', 'dc_a')).toEqual([1, 2, 3, 4, 5, 6, 8]);
  expect(world.replay('rpl_1')).toMatchObject({ total: 18, counters: { delivered: 17, expired: { deleted: 1 } } });
});

test('the cost depends on the events, not on the sources: the log is read twice, page by page', async () => {
  world = await ReplayWorld.with();
  await world.addWebhook('wh_all', { ordered: false });
  await world.start();
  const count = 10_000;
  for (const n of upTo(count / 10)) await world.emit(upTo(10), { emitterId: `dc_${n}` });
  await world.subscribe('sub_all', { listenerId: 'wh_all', emitterId: 'dc_*' });
  await world.markAtEnd();
  const read = jest.spyOn(world.log, 'read');
  await requestReplay('rpl_1');
  await world.whenDone('rpl_1');
  const reads = read.mock.calls.filter(([topic]) => topic === 'channels').length;
  expect(world.replay('rpl_1')).toMatchObject({ total: count, counters: { delivered: count } });
  expect(reads).toBeLessThan(500);
}, 60_000);
