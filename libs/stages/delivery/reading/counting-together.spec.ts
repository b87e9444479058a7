// Replays that begin together count their events in a few passes over the log, however many replays they are.
import { until } from '../../../../test/support/until.ts';
import { upTo } from '../delivery.world.fake.ts';
import type { ReplayRequested } from '../replay-cursors/followed-replay.ts';
import { ReplayWorld } from '../replays/spec/replay-world.fake.ts';

const events = 1_000;
const replaysOfEach = 4;

let world: ReplayWorld;
afterEach(() => world.end());

/** Emits events, and delivers all of them to `sub_1`. */
async function began(): Promise<void> {
  world = await ReplayWorld.with();
  await world.start();
  await world.emit(upTo(events));
  await until('all live', () => world.finished('sub_1/dc_a') === events);
}

/** Runs four dry replays of each subscription; returns their counts, and how many records of `channels` they read. */
async function count(
  subscriptions: readonly string[],
  range: Partial<ReplayRequested['data']>,
): Promise<{ readonly totals: ReadonlySet<number | null | undefined>; readonly read: number }> {
  let records = 0;
  const read = world.log.read.bind(world.log);
  world.log.read = async (topic, ...rest) => {
    const page = await read(topic, ...rest);
    if (topic === 'channels') records += page.records.length;
    return page;
  };
  const requested = subscriptions.flatMap((subscriptionId) =>
    upTo(replaysOfEach).map((n) => ({ subscriptionId, replayId: `rpl_${subscriptionId}_${n}` })),
  );
  for (const { replayId, subscriptionId } of requested)
    await world.requestReplay(replayId, { subscriptionId, dryRun: true, ...range });
  for (const { replayId } of requested) await world.whenDone(replayId);
  return { totals: new Set(requested.map(({ replayId }) => world.replay(replayId)?.total)), read: records };
}

test('a hundred replays of one source read it a few times to count its events', async () => {
  await began();
  const channelEnd = await world.log.end('channels', 0);
  const ids = upTo(25).map((n) => `sub_x${n}`);
  for (const id of ids) await world.subscribe(id, { listenerId: 'wh_1', channelEnd });
  const { totals, read } = await count(ids, {});
  expect(totals).toEqual(new Set([events]));
  expect(read).toBeLessThan(10 * events);
});

test('replays from a number on share also what they read to find where it stands', async () => {
  await began();
  const { totals, read } = await count(['sub_1'], { from: { by: 'sequence', value: 3 } });
  expect(totals).toEqual(new Set([events - 2]));
  expect(read).toBeLessThan(5 * events);
});
