// A projection in memory carries out `retention`: deletes documents by their time, and records below every mark.
import fc from 'fast-check';
import { PortError } from '../../../domain/port-error.ts';
import { flow, expiringTopics, type ExpiringTopic } from '../../../domain/flow.ts';
import { viewDefinitions, views as productViews } from '../../../domain/views/index.ts';
import { positionKey } from '../../../log/index.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import { waitForCheckpoint, type ViewBuild } from '../../../view-store/index.ts';
import { MemoryViewStore } from '../../../view-store/view-store.fake.ts';
import { GeneratedHistory, historySteps, type Step } from '../histories.fake.ts';
import { inputsFrom } from '../inputs.ts';
import { Projection } from '../projection.ts';
import { snapshot } from '../snapshot.fake.ts';

const partitions = 3;
const epoch = 1_700_000_000_000;
const waitMaxMs = 15_000;

const running: Projection[] = [];
afterEach(async () => {
  for (const projection of running.splice(0)) await projection.stop();
});

function setUp() {
  const log = new MemoryLog({ partitions });
  const views = new MemoryViewStore(viewDefinitions);
  const fatal: unknown[] = [];
  const start = async (): Promise<Projection> => {
    const projection = new Projection({ log, views, retentionCheckMs: 1 });
    running.push(projection);
    await projection.start((error) => fatal.push(error));
    return projection;
  };
  return { log, views, fatal, history: new GeneratedHistory(log), start };
}

const moved = (before: number): Step => ({
  topic: 'retention',
  emitterId: '',
  type: 'RetentionMoved',
  data: { before: epoch + before, hooksBefore: epoch + before },
});

const event = (emitterId: string, seq: number): Step => ({
  topic: 'channels',
  emitterId,
  type: 'EventEmitted',
  data: { emitterId, eventId: `${epoch + seq}-${seq}`, channel: '', event: seq, emit: {}, runId: 'run_1' },
});

/** A failed attempt: the record of the first one is as old as its event, those of later ones are younger. */
const attempted = (emitterId: string, seq: number, attempt: number): Step => ({
  topic: 'deliveries',
  emitterId,
  type: 'DeliveryAttempted',
  at: epoch + seq + attempt - 1,
  data: {
    subscriptionId: 'sub_1',
    webhookId: 'wh_1',
    emitterId,
    eventId: `${epoch + seq}-${seq}`,
    channel: '',
    webhookMessageId: `msg_${emitterId}_${seq}`,
    attempt,
    outcome: 'failed',
    status: 500,
    failure: null,
    message: null,
    answer: 'no',
    startedAt: epoch + seq + attempt,
    durationMs: 1,
    nextAttemptAt: null,
  },
});

async function until(met: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + waitMaxMs; !(await met());) {
    if (performance.now() > deadline) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function caughtUpAll(log: MemoryLog, build: ViewBuild): Promise<void> {
  for (const { topic, partition } of inputsFrom(log, {})) {
    const end = await log.end(topic, partition);
    if (end > 0) await waitForCheckpoint(build, { topic, partition, offset: end - 1 }, waitMaxMs);
  }
}

/** How many documents are older than `before`. */
async function countOlder(build: ViewBuild, before: number): Promise<number> {
  let count = 0;
  for (const { definition, expiry: passing } of productViews) {
    if (passing === undefined) continue;
    for await (const { value } of build.all(definition.name)) if (passing.timeOf(value) < epoch + before) count++;
  }
  return count;
}

test('removes older documents and keeps the others, and rebuilt views are the same, whatever comes later', async () => {
  const property = fc.asyncProperty(historySteps, historySteps, fc.nat(5), async (steps, later, before) => {
    const { log, views, history, start, fatal } = setUp();
    await history.append(steps);
    const projection = await start();
    await caughtUpAll(log, views.live());
    const kept = (await snapshot(views.live())).length - (await countOlder(views.live(), before));
    await history.append([moved(before)]);
    await until(async () => (await countOlder(views.live(), before)) === 0);
    expect(await snapshot(views.live())).toHaveLength(kept);
    await history.append(later);
    await caughtUpAll(log, views.live());
    // If nothing was older at first, the projection may not have read the fact until now.
    await until(async () => (await countOlder(views.live(), before)) === 0);
    const live = await snapshot(views.live());
    await projection.rebuild();
    expect(await snapshot(views.live())).toEqual(live);
    await projection.stop();
    expect(fatal).toEqual([]);
  });
  await fc.assert(property, { numRuns: 30 });
}, 30_000);

test('a delivery expires with its event, however late its attempts were', async () => {
  const { log, views, history, start } = setUp();
  await history.append([event('dc_1', 1), attempted('dc_1', 1, 1), event('dc_1', 5), attempted('dc_1', 5, 1)]);
  await start();
  await caughtUpAll(log, views.live());
  await history.append([moved(3)]);
  await until(async () => (await countOlder(views.live(), 3)) === 0);
  await history.append([attempted('dc_1', 1, 2), attempted('dc_1', 5, 2)]);
  await caughtUpAll(log, views.live());
  const { live } = { live: views.live() };
  expect(await live.count('deliveries', { index: 'bySubscription', equals: ['sub_1', 'failing'] })).toBe(1);
  expect(await live.get('deliveries', 'msg_dc_1_5')).toMatchObject({ value: { attemptCount: 2 } });
});

/** Every reader has read everything, except what `lagging` says. */
async function markAllRead(log: MemoryLog, lagging: { topic: ExpiringTopic; at: number } | undefined): Promise<void> {
  for (const stage of ['runtime', 'delivery', 'lifecycle', 'audit'] as const) {
    for (let owned = 0; owned < (flow[stage].owns === 'one' ? 1 : partitions); owned++) {
      const partitionsOfTopics = expiringTopics.flatMap((topic) =>
        [0, 1, 2].map((partition) => ({ topic, partition })),
      );
      const positions: Record<string, number> = { 'retention/0': 1_000 };
      for (const { topic, partition } of partitionsOfTopics)
        positions[positionKey(topic, partition)] = topic === lagging?.topic ? lagging.at : 1_000;
      const writer = await log.own(stage, owned);
      await writer.append([], positions);
      await writer.release();
    }
  }
}

const remainingOffsets = (log: MemoryLog, topic: ExpiringTopic): number[] =>
  log.records(topic).map(({ offset }) => offset);

test('older records are removed from the beginning of each partition, up to the first one that stays', async () => {
  const { log, views, history, start } = setUp();
  // Event 9 comes from a clock that was ahead: nothing after it in its partition is deleted.
  await history.append([1, 2, 9, 2, 6].map((seq) => event('dc_1', seq)));
  await history.append([1, 2, 3, 6].map((seq) => attempted('dc_1', seq, 1)));
  const [events, attempts] = [remainingOffsets(log, 'channels'), remainingOffsets(log, 'deliveries')];
  await markAllRead(log, undefined);
  await start();
  await caughtUpAll(log, views.live());
  await history.append([moved(4)]);
  await until(
    async () => remainingOffsets(log, 'channels').length === 3 && remainingOffsets(log, 'deliveries').length === 1,
  );
  expect(remainingOffsets(log, 'channels')).toEqual(events.slice(2));
  expect(remainingOffsets(log, 'deliveries')).toEqual(attempts.slice(3));
});

test('a record that a reader still needs stays, and is removed once it has been read', async () => {
  const { log, views, history, start } = setUp();
  await history.append([1, 2, 3].map((seq) => event('dc_1', seq)));
  const events = remainingOffsets(log, 'channels');
  await markAllRead(log, { topic: 'channels', at: events[1] ?? NaN });
  await start();
  await caughtUpAll(log, views.live());
  await history.append([moved(100)]);
  await until(async () => remainingOffsets(log, 'channels').length < 3);
  expect(remainingOffsets(log, 'channels')).toEqual(events.slice(1));
  await markAllRead(log, undefined);
  await until(async () => remainingOffsets(log, 'channels').length === 0);
});

test('the next start carries out a retention fact that was appended while the projection was down', async () => {
  const { log, views, history, start } = setUp();
  await history.append([1, 2, 6].map((seq) => event('dc_1', seq)));
  await markAllRead(log, undefined);
  const first = await start();
  await caughtUpAll(log, views.live());
  await first.stop();
  await history.append([moved(4)]);
  const second = await start();
  await until(async () => remainingOffsets(log, 'channels').length === 1 && (await countOlder(views.live(), 4)) === 0);
  await second.stop();
  await start();
  expect(remainingOffsets(log, 'channels')).toHaveLength(1);
});

test('goes on with the new views when a rebuild replaces those that it is removing from', async () => {
  const { log, views, history, start, fatal } = setUp();
  await history.append([1, 2, 6].map((seq) => event('dc_1', seq)));
  const projection = await start();
  await caughtUpAll(log, views.live());
  const live = views.live();
  const removeRange = live.removeRange.bind(live);
  const [removing, replaced] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // As of a build that is replaced between two of its steps.
  live.removeRange = async (view, range) => {
    const { name } = live;
    removing.resolve();
    await replaced.promise;
    if (live.name !== name) throw new PortError('closed', `Build ${name} was replaced by ${live.name}`);
    await removeRange(view, range);
  };
  await history.append([moved(4)]);
  await removing.promise;
  await projection.rebuild();
  replaced.resolve();
  await history.append([moved(100)]);
  await until(async () => fatal.length > 0 || (await countOlder(views.live(), 100)) === 0);
  expect(fatal).toEqual([]);
});
