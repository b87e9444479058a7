// Reads from views that are behind the log when the gateway starts.
import { recordOf, samples } from '../../../domain/record/samples.fake.ts';
import { viewDefinitions } from '../../../domain/views/index.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import { LiveBuild } from '../../../view-store/live-build.ts';
import { MemoryViewStore } from '../../../view-store/view-store.fake.ts';
import { findShown } from '../rest/owned-documents.ts';
import { until } from '../../../../test/support/until.ts';
import { FilledViews, UnfilledError } from './filled-views.ts';

const list = { index: 'byListener', equals: ['o_1', 'wh_1'], order: 'ascending', limit: 10 } as const;
const refused = { code: 'unavailable', message: 'The views are being filled from the log.' };

const recordsAt = 1_700_000_000_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A log with two records of an hour ago in one partition. */
async function world(times: ConstructorParameters<typeof FilledViews>[2] = {}) {
  const log = new MemoryLog({ partitions: 2 });
  const writer = await log.own('runtime', 1);
  const record = { ...recordOf('RunFinished', samples.runs.RunFinished), at: recordsAt };
  await writer.append(
    [1, 2].map(() => ({ topic: 'runs' as const, partition: 1, record })),
    {},
  );
  const views = new MemoryViewStore(viewDefinitions);
  const live = views.live();
  const open = (): FilledViews =>
    new FilledViews(live, log, { now: () => recordsAt + hourMs, waitMs: 20, pollMs: 1, ...times });
  return { log, views, live, open, shown: open(), end: await log.end('runs', 1) };
}

test('every kind of read is refused while the views lack what the log held at the first read', async () => {
  const { live, shown: filledViews, end } = await world();
  await live.saveCheckpoint({ 'runs/1': end - 1 });
  const reads = [
    () => filledViews.get('sources', 'dc_1'),
    () => filledViews.getMany('sources', ['dc_1']),
    () => filledViews.find('subscriptions', list),
    () => filledViews.findKeys('subscriptions', list),
    () => filledViews.count('subscriptions', list),
    () => filledViews.highest('subscriptions', list),
  ];
  for (const read of reads) await expect(read()).rejects.toMatchObject(refused);
  await live.saveCheckpoint({ 'runs/1': end });
  await Promise.all(reads.map((read) => read()));
});

test('a read waits for views that are a little behind, and later reads do not check any more', async () => {
  const { log, live, shown: filledViews, end } = await world({ waitMs: 60_000 });
  let isRead = false;
  const reading = filledViews.find('subscriptions', list).then(() => (isRead = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isRead).toBe(false);
  await live.saveCheckpoint({ 'runs/1': end });
  await reading;
  await log.close();
  expect(await filledViews.find('subscriptions', list)).toEqual([]);
});

test('later records do not matter, nor do offsets without records', async () => {
  const { log, live, shown: filledViews, end } = await world();
  log.end = (topic, partition) => Promise.resolve(topic === 'runs' && partition === 1 ? end + 1 : 0);
  await live.saveCheckpoint({ 'runs/1': end });
  expect(await filledViews.find('subscriptions', list)).toEqual([]);
});

test('views that lack only the last minutes are behind, as after a crash, and are read', async () => {
  const { live, open, end } = await world({ now: () => recordsAt + 9 * minuteMs });
  await live.saveCheckpoint({ 'runs/1': end - 1 });
  expect(await open().find('subscriptions', list)).toEqual([]);
});

test('views that were empty are read only when they are filled, however young the log is', async () => {
  const { live, open, end } = await world({ now: () => recordsAt });
  const filledViews = open();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await live.saveCheckpoint({ 'runs/1': end - 1 });
  await expect(filledViews.find('subscriptions', list)).rejects.toMatchObject(refused);
  await live.saveCheckpoint({ 'runs/1': end });
  expect(await filledViews.find('subscriptions', list)).toEqual([]);
});

test('views that do not advance are read anyway, unless they are empty', async () => {
  const { live, shown: filledViews, end } = await world({ stalledMs: 5 });
  await expect(filledViews.find('subscriptions', list)).rejects.toMatchObject(refused);
  await live.saveCheckpoint({ 'runs/1': end - 1 });
  const isRead = (): Promise<boolean> =>
    filledViews.find('subscriptions', list).then(
      () => true,
      () => false,
    );
  // On a busy machine a read might have no time for a second look.
  await until('the views to be read', isRead);
});

test('views of an empty log are read at once', async () => {
  const filledViews = new FilledViews(new MemoryViewStore(viewDefinitions).live(), new MemoryLog({ partitions: 2 }));
  expect(await filledViews.count('subscriptions', list)).toBe(0);
});

test('views that were made from another log are not read before they are rebuilt', async () => {
  const { views, live, open, end } = await world();
  await live.saveCheckpoint({ 'runs/1': end + 1 });
  const filledViews = open();
  await expect(filledViews.find('subscriptions', list)).rejects.toMatchObject(refused);
  await views.switchTo(await views.begin());
  await expect(filledViews.find('subscriptions', list)).rejects.toMatchObject(refused);
  await live.saveCheckpoint({ 'runs/1': end });
  expect(await filledViews.find('subscriptions', list)).toEqual([]);
});

test('an accepted request is answered as such, even while the views are being filled', async () => {
  const caller = { workspace: 'o_1' } as Parameters<typeof findShown>[1];
  const live = new MemoryViewStore(viewDefinitions).live();
  const unfilled = Object.assign(new LiveBuild(() => live), { get: () => Promise.reject(new UnfilledError()) });
  for (const build of [live, unfilled]) {
    const filledViews = findShown({ views: () => build }, caller, 'webhooks', 'wh_1');
    await expect(filledViews).rejects.toMatchObject({ status: 503, code: 'unavailable', details: { id: 'wh_1' } });
  }
});
