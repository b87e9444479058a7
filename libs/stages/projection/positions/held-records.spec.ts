import { viewDefinitions } from '../../../domain/views/index.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import { MemoryViewStore } from '../../../view-store/view-store.fake.ts';
import { control, GeneratedHistory } from '../histories.fake.ts';
import { LivePositions } from './live-positions.ts';

const whole = new Set([0]);
const disabled = (webhookId: string, at: number) => ({
  ...control('listeners', 'WebhookDisabled', { webhookId, reason: 'gone' }),
  at,
});

/** A log with a record for each webhook, all at this time. */
async function logWith(webhookIds: readonly string[], at: number): Promise<MemoryLog> {
  const log = new MemoryLog({ partitions: 1 });
  await new GeneratedHistory(log).append(webhookIds.map((webhookId) => disabled(webhookId, at)));
  return log;
}

/** Views that have passed the whole of a log. */
async function viewsOf(log: MemoryLog): Promise<MemoryViewStore> {
  const views = new MemoryViewStore(viewDefinitions);
  const page = await log.read('listeners', 0, 0, { recordsMax: 100, bytesMax: 100_000 });
  await new LivePositions({ log, views }).advance([page]);
  return views;
}

test('views of a log that had another record at the same offset restart empty, however much was appended', async () => {
  const views = await viewsOf(await logWith(['wh_1', 'wh_2'], 1_000));
  const restored = await logWith(['wh_1', 'wh_2', 'wh_3', 'wh_4'], 2_000);
  const resets: string[] = [];
  const positions = new LivePositions({ log: restored, views, onViewsReset: (message) => resets.push(message) });
  expect(await positions.restore(whole)).toEqual({});
  expect(resets).toEqual([
    expect.stringMatching(/^The views hold another record of listeners\/0 at \d+ than the log, and are built again\.$/),
  ]);
  expect([await views.live().checkpoint(), await views.live().heldRecords()]).toEqual([{}, {}]);
});

test('one of several projections refuses to work on such views', async () => {
  const views = await viewsOf(await logWith(['wh_1'], 1_000));
  const log = new MemoryLog({ partitions: 2 });
  await new GeneratedHistory(log).append([disabled('wh_1', 2_000)]);
  const refused = new LivePositions({ log, views }).restore(whole);
  await expect(refused).rejects.toMatchObject({ code: 'mismatch', message: expect.stringContaining('another log') });
});

test('views continue with the log that they were made from, whatever was appended since', async () => {
  const log = await logWith(['wh_1', 'wh_2'], 1_000);
  const views = await viewsOf(log);
  const passed = await views.live().checkpoint();
  await new GeneratedHistory(log).append([disabled('wh_3', 3_000)]);
  expect(await new LivePositions({ log, views }).restore(whole)).toEqual(passed);
});

test('a held record that the log has no longer tells nothing', async () => {
  const log = await logWith(['wh_1'], 1_000);
  const views = await viewsOf(log);
  const passed = await views.live().checkpoint();
  await views.live().saveCheckpoint(passed, { 'channels/0': { offset: 5, identity: 'gone' } });
  expect(await new LivePositions({ log, views }).restore(whole)).toEqual(passed);
});
