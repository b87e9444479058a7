// Several projections on one log and one view store: each writes its share, and together they give the views of one.
import fc from 'fast-check';
import { until } from '../../../test/support/until.ts';
import { viewDefinitions } from '../../domain/views/index.ts';
import { MemoryLog } from '../../log/log.fake.ts';
import { SharedOwnership } from '../../log/ownership.fake.ts';
import { positionKey, type Positions } from '../../log/index.ts';
import { MemoryViewStore } from '../../view-store/view-store.fake.ts';
import { GeneratedHistory, historySteps } from './histories.fake.ts';
import { inputsFrom } from './inputs.ts';
import { Projection } from './projection.ts';
import { snapshot } from './snapshot.fake.ts';

const partitions = 3;

interface Process {
  readonly projection: Projection;
  readonly ownership: SharedOwnership;
  readonly fatal: unknown[];
  assign(...owned: number[]): Promise<void>;
}

const running: Projection[] = [];
afterEach(async () => {
  for (const projection of running.splice(0)) await projection.stop();
});

function setUp() {
  const log = new MemoryLog({ partitions });
  const views = new MemoryViewStore(viewDefinitions);
  const start = async (): Promise<Process> => {
    const ownership = new SharedOwnership();
    const projection = new Projection({ log, views, ownership, elapsedMs: () => 1 });
    const fatal: unknown[] = [];
    await projection.start((error) => fatal.push(error));
    running.push(projection);
    return { projection, ownership, fatal, assign: (...owned) => ownership.assign('projection', owned) };
  };
  return { log, views, history: new GeneratedHistory(log), start };
}

/** The ends of the partitions that hold records. */
async function endsOfShare(log: MemoryLog, share?: ReadonlySet<number>): Promise<Positions> {
  const positions: Record<string, number> = {};
  for (const { topic, partition } of inputsFrom(log, {}, share)) {
    const end = await log.end(topic, partition);
    if (end > 0) positions[positionKey(topic, partition)] = end;
  }
  return positions;
}

async function caughtUp(views: MemoryViewStore, wanted: Positions): Promise<void> {
  await until('the views to pass it', async () => {
    const positions = await views.live().checkpoint();
    return Object.entries(wanted).every(([key, offset]) => (positions[key] ?? 0) >= offset);
  });
}

test('a projection reads only its own partitions, and the owner of the first one also the control plane', async () => {
  const { log, views, history, start } = setUp();
  await history.append(fc.sample(historySteps, { numRuns: 20, seed: 7 }).flat());
  const [first, second] = [await start(), await start()];
  await second.assign(1, 2);
  await caughtUp(views, await endsOfShare(log, new Set([1, 2])));
  expect(Object.keys(await views.live().checkpoint())).not.toContain('listeners/0');
  await first.assign(0);
  await caughtUp(views, await endsOfShare(log));
  expect(await views.live().checkpoint()).toEqual(await endsOfShare(log));
  expect([...first.fatal, ...second.fatal]).toEqual([]);
});

test('however partitions move between projections, the views equal those of a single projection', async () => {
  const property = fc.asyncProperty(fc.array(historySteps, { minLength: 3, maxLength: 8 }), async (parts) => {
    const { log, views, history, start } = setUp();
    const processes = [await start(), await start()];
    for (const [round, steps] of parts.entries()) {
      const moved = processes.map((each, n) => each.assign(...[0, 1, 2].filter((p) => (p + round) % 2 === n)));
      await history.append(steps);
      if (round % 2 === 0) await Promise.all(moved);
    }
    await caughtUp(views, await endsOfShare(log));
    for (const { projection, fatal } of processes) {
      await projection.stop();
      expect(fatal).toEqual([]);
    }
    const soleViews = new MemoryViewStore(viewDefinitions);
    const projection = new Projection({ log, views: soleViews, elapsedMs: () => 1 });
    await projection.start(() => {});
    await caughtUp(soleViews, await endsOfShare(log));
    await projection.stop();
    expect(await snapshot(views.live())).toEqual(await snapshot(soleViews.live()));
  });
  await fc.assert(property, { numRuns: 25 });
});

test('what a projection that was taken over writes late brings no deleted event back', async () => {
  const { log, views, history, start } = setUp();
  const live = views.live();
  const [first, second] = [await start(), await start()];
  const firstPut = Promise.withResolvers<void>();
  const put = live.put.bind(live);
  const puts: Promise<void>[] = [];
  live.put = async (writes) => {
    const late = puts.length === 0 ? firstPut.promise.then(() => put(writes)) : put(writes);
    puts.push(late);
    await late;
  };
  await first.assign(0, 1, 2);
  const event = { emitterId: 'dc_1', eventId: '1000-0', channel: '', event: 1, emit: {}, runId: 'run_1' };
  await history.append([{ topic: 'channels', emitterId: 'dc_1', type: 'EventEmitted', data: event }]);
  await until('the first to write', () => puts.length === 1);
  void first.assign();
  await second.assign(0, 1, 2);
  await caughtUp(views, await endsOfShare(log));
  const all = { emitterId: 'dc_1', channel: null, startId: null, endId: null };
  await history.append([{ topic: 'channels', emitterId: 'dc_1', type: 'EventsDeleted', data: all }]);
  await caughtUp(views, await endsOfShare(log));
  const count = () => live.count('events', { index: 'byEmitter', equals: ['dc_1'] });
  expect(await count()).toBe(0);
  firstPut.resolve();
  await puts[0];
  expect(await count()).toBe(0);
});

test('a projection with only a share of the log refuses a rebuild and says what to do', async () => {
  const { log, views, history, start } = setUp();
  await history.append(fc.sample(historySteps, { numRuns: 5, seed: 3 }).flat());
  const process = await start();
  await process.assign(0, 1);
  await expect(process.projection.rebuild()).rejects.toThrow(/has 2 of 3 partitions.*Run one projection only/);
  await process.assign(0, 1, 2);
  await caughtUp(views, await endsOfShare(log));
  const name = views.live().name;
  await process.projection.rebuild();
  expect(views.live().name).not.toBe(name);
});

test('a projection that loses partitions while it rebuilds the views stops the rebuild, and the live views stay', async () => {
  const { log, views, history, start } = setUp();
  await history.append(fc.sample(historySteps, { numRuns: 5, seed: 3 }).flat());
  const process = await start();
  await process.assign(0, 1, 2);
  await caughtUp(views, await endsOfShare(log));
  const name = views.live().name;
  const buildBegun = Promise.withResolvers<void>();
  const begin = views.begin.bind(views);
  views.begin = async () => {
    const build = await begin();
    await buildBegun.promise;
    return build;
  };
  const rebuilding = process.projection.rebuild();
  await process.assign(0);
  buildBegun.resolve();
  await expect(rebuilding).rejects.toThrow(/has 1 of 3 partitions/);
  expect(views.live().name).toBe(name);
});

test('one of several projections refuses to work on views of another log', async () => {
  const { views, start } = setUp();
  await views.live().saveCheckpoint({ 'channels/1': 9 });
  const process = await start();
  await process.assign(1);
  await until('the refusal', () => process.fatal.length === 1);
  expect(process.fatal[0]).toMatchObject({ code: 'mismatch', message: expect.stringMatching(/Stop all .* but one/) });
});

test('a projection without partitions stands by, is healthy, and leaves the group when it is stopped', async () => {
  const { views, start } = setUp();
  const { projection, ownership } = await start();
  expect(projection.healthy).toBe(true);
  await projection.stop();
  expect(ownership.hasLeft).toBe(true);
  expect(await views.live().checkpoint()).toEqual({});
});
