// The fold makes the same documents however the records are batched, repeated and interleaved between partitions.
import fc from 'fast-check';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { viewDefinitions, views } from '../../../domain/views/index.ts';
import type { ViewBuild } from '../../../view-store/index.ts';
import { MemoryViewStore } from '../../../view-store/view-store.fake.ts';
import { Fold } from './fold.ts';
import { historySteps, storedRecords } from '../histories.fake.ts';
import { snapshot } from '../snapshot.fake.ts';

const fold = new Fold(views, (_record, work) => work());
const newBuild = (): ViewBuild => new MemoryViewStore(viewDefinitions).live();

async function feed(build: ViewBuild, batches: readonly (readonly RecordOn[])[]): Promise<void> {
  for (const batch of batches) await build.put(await fold.writes(build, batch));
}

async function oneByOne(records: readonly RecordOn[]): Promise<string[]> {
  const build = newBuild();
  await feed(
    build,
    records.map((record) => [record]),
  );
  return snapshot(build);
}

function cut(records: readonly RecordOn[], sizes: readonly number[]): RecordOn[][] {
  const batches: RecordOn[][] = [];
  for (let from = 0, i = 0; from < records.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    batches.push(records.slice(from, from + size));
    from += size;
  }
  return batches;
}

const histories = historySteps.map((steps) => storedRecords(steps, 4));
const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });

test('batches of any size give the same documents as single records', async () => {
  await fc.assert(
    fc.asyncProperty(histories, sizes, async (records, batchSizes) => {
      const build = newBuild();
      await feed(build, cut(records, batchSizes));
      expect(await snapshot(build)).toEqual(await oneByOne(records));
    }),
    { numRuns: 200 },
  );
});

test('repeating from any earlier record, even in other batches, gives the same documents', async () => {
  const kill = fc.record({ first: sizes, second: sizes, at: fc.nat(), back: fc.nat(30) });
  const property = fc.asyncProperty(histories, kill, async (records, { first, second, at, back }) => {
    const build = newBuild();
    const killedAt = at % (records.length + 1);
    await feed(build, cut(records.slice(0, killedAt), first));
    await feed(build, cut(records.slice(Math.max(0, killedAt - back)), second));
    expect(await snapshot(build)).toEqual(await oneByOne(records));
  });
  await fc.assert(property, { numRuns: 200 });
});

test('partitions interleaved in any order give the same documents', async () => {
  const property = fc.asyncProperty(
    histories,
    sizes,
    fc.infiniteStream(fc.nat(1_000)),
    async (records, batchSizes, picks) => {
      const queues = [...Map.groupBy(records, ({ topic, partition }) => `${topic}/${partition}`).values()];
      const mixed: RecordOn[] = [];
      while (mixed.length < records.length) {
        const open = queues.filter((queue) => queue.length > 0);
        const pick = Number(picks.next().value) % open.length;
        const record = open[pick]?.shift();
        if (record !== undefined) mixed.push(record);
      }
      const build = newBuild();
      await feed(build, cut(mixed, batchSizes));
      expect(await snapshot(build)).toEqual(await oneByOne(records));
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

test('a batch writes each document once and reads only the documents that a record depends on', async () => {
  const build = newBuild();
  const reads: string[] = [];
  const spied = new Proxy(build, {
    get: (target, name) =>
      name === 'getMany'
        ? (view: string, ids: readonly string[]) => {
            reads.push(...ids.map((id) => `${view} ${id}`));
            return target.getMany(view, ids);
          }
        : Reflect.get(target, name),
  });
  const attempt = { subscriptionId: 'sub_1', emitterId: 'dc_1', eventId: '1-0', webhookId: 'wh_1', channel: '' };
  const steps = [1, 2, 3].map((number) => ({
    topic: 'deliveries' as const,
    emitterId: 'dc_1',
    type: 'DeliveryAttempted',
    data: {
      ...attempt,
      webhookMessageId: 'msg_1',
      attempt: number,
      outcome: 'failed',
      nextAttemptAt: 1,
      status: 500,
      failure: null,
      message: null,
      answer: 'no',
      startedAt: 1,
      durationMs: 2,
    },
  }));
  const records = storedRecords(steps, 1);
  const writes = await fold.writes(spied, records);
  expect(writes.map(({ view }) => view)).toEqual(['deliveries', 'deliveryStats', 'webhookStats', 'webhookDays']);
  expect(writes[0]?.value?.['attempts']).toHaveLength(3);
  const counts = writes.slice(1).map(({ view, id }) => `${view} ${id}`);
  expect(reads).toEqual(counts);
  await fold.writes(spied, records.slice(1));
  expect(reads).toEqual([...counts, 'deliveries msg_1', ...counts]);
});
