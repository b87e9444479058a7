// Recent ids of many sources: those used last stay in memory, within a limit of bytes, and none is lost.
import { idHash, RecentIds } from '../../../domain/publish/recent-ids.ts';
import { recentKey } from '../../../domain/publish/recent-key.ts';
import { recordOf } from '../../../domain/record/samples.fake.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import type { Outgoing, Writer } from '../../../log/log.ts';
import { SourceRecentIds, type SourceRecentIdsOptions } from './source-recent-ids.ts';

const perSource = 1_000;
const ofOne = new RecentIds();

let log: MemoryLog;
let runtime: Writer;
beforeEach(async () => {
  log = new MemoryLog({ partitions: 1 });
  runtime = await log.own('runtime', 0);
});

const recentsOf = (bytesMax: number): SourceRecentIds =>
  new SourceRecentIds({ log: log as unknown as SourceRecentIdsOptions['log'], partition: 0, bytesMax });

/** Adds an id as publishing does, and appends what has changed. */
async function add(recents: SourceRecentIds, sourceId: string, id: string): Promise<void> {
  if (recents.of(sourceId) === undefined) await recents.read(sourceId);
  const ids = recents.of(sourceId);
  ids?.add(idHash(id), '5-6');
  recents.markUsed(sourceId);
  const outputs = (ids?.takeChanged() ?? []).map((segment): Outgoing => {
    const envelope = { key: recentKey(sourceId, segment.segment) };
    return { topic: 'state', partition: 0, record: recordOf('RecentIdsSaved', { sourceId, ...segment }, envelope) };
  });
  recents.markSaved(outputs as never, await runtime.append(outputs, {}));
}

const inMemory = (recents: SourceRecentIds, sources: readonly string[]): number =>
  sources.filter((source) => recents.of(source) !== undefined).length;

test('keeps only the sources used last in memory, and reads the others back unchanged', async () => {
  const recents = recentsOf(10 * ofOne.bytes);
  const sources = Array.from({ length: 200 }, (_, n) => `dc_${n}`);
  for (const round of ['a', 'b']) for (const source of sources) await add(recents, source, `${source}${round}`);
  expect(inMemory(recents, sources)).toBe(10);
  expect(recents.of('dc_199')?.find(idHash('dc_199a'))).toBe('5-6');
  for (const source of sources) {
    if (recents.of(source) === undefined) await recents.read(source);
    for (const round of ['a', 'b']) expect(recents.of(source)?.find(idHash(`${source}${round}`))).toBe('5-6');
    recents.markUsed(source);
  }
  expect(inMemory(recents, sources)).toBe(10);
});

test('ids that are not on the log yet stay in memory, whatever else is used', async () => {
  const recents = recentsOf(1);
  recents.of('dc_new')?.add(idHash('x'), '1-2');
  recents.markUsed('dc_new');
  for (let n = 0; n < 10; n++) await add(recents, `dc_${n}`, 'y');
  expect(recents.of('dc_new')?.find(idHash('x'))).toBe('1-2');
});

test('the limit also holds at start-up, and forgetting a source returns the keys of all its records', async () => {
  const recents = recentsOf(Infinity);
  for (let n = 0; n < perSource; n++) await add(recents, `dc_${n % 4}`, `id ${n}`);
  const restored = recentsOf(ofOne.bytes * 2);
  for (const record of log.records('state')) restored.accept(record as never);
  restored.finishRestore();
  const sources = ['dc_0', 'dc_1', 'dc_2', 'dc_3'];
  expect(inMemory(restored, sources)).toBeLessThanOrEqual(2);
  for (const source of sources) {
    if (restored.of(source) === undefined) await restored.read(source);
    for (let n = 0; n < perSource; n++)
      expect(restored.of(source)?.find(idHash(`id ${n}`))).toBe(`dc_${n % 4}` === source ? '5-6' : undefined);
  }
  expect(restored.forget('dc_1')).toEqual(['dc_1/ids/0', 'dc_1/ids/1']);
  expect(restored.forget('dc_1')).toEqual([]);
});
