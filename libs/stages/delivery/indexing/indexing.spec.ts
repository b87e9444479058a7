// With the index, delivery reads only the records of one source, whatever is between them, even after kills.
import { jest } from '@jest/globals';
import { pause, until } from '../../../../test/support/until.ts';
import { upTo } from '../delivery.world.fake.ts';
import { ReplayWorld } from '../replays/spec/replay-world.fake.ts';

const others = 10_000;

/** Some tests read tens of thousands of records, possibly on a busy machine. */
jest.setTimeout(30_000);

let world: ReplayWorld;
/** Counts the records of `channels` that were read by range, including reads of tails. */
let read: number;

beforeEach(async () => {
  world = new ReplayWorld({ flushMs: 2, segmentRecords: 1_024 });
  read = 0;
  const { log } = world;
  const readPage = log.read.bind(log);
  log.read = async (topic, ...range) => {
    const page = await readPage(topic, ...range);
    if (topic === 'channels') read += page.records.length;
    return page;
  };
  await world.addKey();
  await world.addWebhook('wh_1');
});
afterEach(() => world.end());

async function emitOthers(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1_000) {
    await world.emit(upTo(1_000), { emitterId: 'dc_b' });
    // A larger batch than the log takes would be dropped and read again at the index's own pace.
    if (world.isRunning) await world.markAtEnd();
  }
}

/** Events 1 to 10 of `dc_a`, then many of another source, then 11 to 20. */
async function emitAll(): Promise<string[]> {
  const ids = await world.emit(upTo(10));
  await emitOthers(others);
  return [...ids, ...(await world.emit(upTo(10).map((n) => n + 10)))];
}

/** The segments on the log that have no tombstones. */
function segments(): { from: number; to: number }[] {
  const newest = new Map(world.log.records('cursors').map(({ key, data }) => [key, data]));
  const saved = [...newest].flatMap(([key, data]) => (key.startsWith('indexed/') && data ? [data] : []));
  return (saved as { from: number; to: number }[]).toSorted((a, b) => a.from - b.from);
}

const indexed = (below: number): Promise<unknown> =>
  until('the index to be there', () => (segments().at(-1)?.to ?? 0) >= below - 1_024);

test('a replay and an early start of one source read only its own events, not those in between', async () => {
  await world.subscribe('sub_1', { listenerId: 'wh_1', channelEnd: 0 });
  await world.start();
  await emitAll();
  await world.markAtEnd();
  await indexed(others);
  await until('all live', () => world.finished('sub_1/dc_a') === 20);
  read = 0;
  await world.requestReplay('rpl_1');
  await world.whenDone('rpl_1');
  expect(world.resent('rpl_1')).toEqual(upTo(20));
  // Once to count them, once to send them.
  expect(read).toBeLessThanOrEqual(2 * 20 + 10);
  read = 0;
  await world.subscribe('sub_2', { listenerId: 'wh_1', channelEnd: 0 });
  await until('all from the beginning', () => world.finished('sub_2/dc_a') === 20);
  expect(read).toBeLessThanOrEqual(2 * 20 + 10);
});

test('deleted events are found through the index too', async () => {
  await world.start();
  const ids = await emitAll();
  await world.delete({ startId: ids[2] ?? null, endId: ids[14] ?? null });
  await emitOthers(2_000);
  await world.markAtEnd();
  await indexed(others + 2_000);
  read = 0;
  await world.subscribe('sub_1', { listenerId: 'wh_1', channelEnd: 0 });
  await until('what is left', () => world.finished('sub_1/dc_a') === 20);
  expect(world.sentTo('wh_1')).toEqual([1, 2, 16, 17, 18, 19, 20]);
  expect(read).toBeLessThanOrEqual(2 * 21 + 10);
});

test('after kills every record is in one segment, and only unsaved ones are read again', async () => {
  await world.subscribe('sub_1', { listenerId: 'wh_1', channelEnd: 0 });
  await world.start();
  let n = 0;
  for (let kill = 0; kill < 8; kill++) {
    await world.emit([++n, ++n]);
    await world.emit(upTo(777), { emitterId: 'dc_b' });
    if (kill % 2 === 0) await world.markAtEnd();
    await world.stop(0);
    await world.start();
  }
  await world.markAtEnd();
  await indexed(8 * 779);
  const saved = segments();
  expect(saved.slice(1).map(({ from }) => from)).toEqual(saved.slice(0, -1).map(({ to }) => to));
  await until('all live', () => world.finished('sub_1/dc_a') === n);
  await until('the reading of what is not the replay to end', async () => {
    const before = read;
    await pause(200);
    return read === before;
  });
  read = 0;
  await world.requestReplay('rpl_1');
  await world.whenDone('rpl_1');
  expect(world.resent('rpl_1')).toEqual(upTo(n));
  expect(read).toBeLessThan(2_048);
});

test('a log older than the index gets one, and is read in full until then', async () => {
  await emitAll();
  const { log } = world;
  await world.subscribe('sub_1', { listenerId: 'wh_1', channelEnd: 0 });
  await log.trim('channels', 0, 5);
  await world.start();
  await until('what is left', () => world.finished('sub_1/dc_a') === 15);
  expect(world.sentTo('wh_1')).toEqual(upTo(20).slice(5));
  await indexed(others);
});

test('without an index part the log is read, and segments are removed with the records they cover', async () => {
  await world.start();
  await emitAll();
  await world.markAtEnd();
  await indexed(others);
  const readPage = world.log.read.bind(world.log);
  let isLost = true;
  world.log.read = async (topic, partition, from, bounds) =>
    topic === 'indexes' && isLost
      ? { topic, partition, records: [], next: bounds.to ?? from }
      : readPage(topic, partition, from, bounds);
  await world.subscribe('sub_1', { listenerId: 'wh_1', channelEnd: 0 });
  await until('all', () => world.finished('sub_1/dc_a') === 20);
  isLost = false;
  const before = segments().length;
  await world.log.trim('channels', 0, 5_000);
  await emitOthers(4_000);
  await until('the first to be forgotten', () => (segments()[0]?.to ?? 0) > 5_000);
  expect(segments().length).toBeLessThanOrEqual(before + 4 - 3);
  const parts = new Map(world.log.records('indexes').map(({ key, data }) => [key, data]));
  const remaining = [...parts].filter(([, data]) => data !== undefined).map(([key]) => Number(key.split('/')[0]));
  expect(Math.min(...remaining)).toBe(segments()[0]?.from);
});
