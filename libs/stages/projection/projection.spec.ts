// The projection on a log and a view store in memory: follows, repeats without effect, and rebuilds views.
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PortError } from '../../domain/port-error.ts';
import { viewDefinitions, views as productViews, type View } from '../../domain/views/index.ts';
import { positionKey, type Positions } from '../../log/index.ts';
import { MemoryLog } from '../../log/log.fake.ts';
import { waitForCheckpoint, type ViewBuild } from '../../view-store/index.ts';
import { SqliteViewStore } from '../../view-store/sqlite/sqlite-view-store.ts';
import { MemoryViewStore } from '../../view-store/view-store.fake.ts';
import { control, GeneratedHistory, historySteps, type Step } from './histories.fake.ts';
import { inputsFrom } from './inputs.ts';
import type { ProjectionOptions } from './projection-options.ts';
import { Projection } from './projection.ts';
import { snapshot } from './snapshot.fake.ts';

const partitions = 3;
const waitMaxMs = 15_000;

type BuildMethod = 'put' | 'saveCheckpoint' | 'getMany';

/** A store whose live build can be told to fail once, before or after it has carried out a call. */
class FaultyViewStore extends MemoryViewStore {
  readonly faults: { method: BuildMethod; done: boolean; error: Error }[] = [];
  /** Older positions that a crash left in the checkpoint: they are returned until their partitions are saved again. */
  readonly older = new Map<string, number>();

  override live(): ViewBuild {
    const live = super.live();
    return new Proxy(live, {
      get: (target, name) => {
        const method = Reflect.get(target, name, target) as unknown;
        if (typeof method !== 'function') return method;
        return (...args: unknown[]) =>
          this.#call(name, () => this.#checkpointed(name, args, method.apply(target, args)));
      },
    });
  }

  #checkpointed(name: string | symbol, args: unknown[], done: unknown): unknown {
    if (name === 'saveCheckpoint') for (const key of Object.keys(args[0] as Positions)) this.older.delete(key);
    if (name !== 'checkpoint' && name !== 'resume') return done;
    return (done as Promise<Positions>).then((standing) => ({ ...standing, ...Object.fromEntries(this.older) }));
  }

  #call(name: string | symbol, call: () => unknown): unknown {
    const fault = this.faults[0];
    if (fault?.method !== name) return call();
    this.faults.shift();
    return (async () => {
      if (fault.done) await call();
      throw fault.error;
    })();
  }
}

const running: Projection[] = [];
afterEach(async () => {
  for (const projection of running.splice(0)) await projection.stop();
});

function setUp(options: Partial<ProjectionOptions> = {}) {
  const log = new MemoryLog({ partitions });
  const views = new FaultyViewStore(viewDefinitions);
  const fatal: unknown[] = [];
  const retried: string[] = [];
  let now = 1_000;
  const open = () =>
    new Projection({ log, views, elapsedMs: () => now, onRetry: ({ code }) => retried.push(code), ...options });
  const start = async (): Promise<Projection> => {
    const projection = open();
    running.push(projection);
    await projection.start((error) => fatal.push(error));
    return projection;
  };
  const advance = (ms: number) => (now += ms);
  return { log, views, fatal, retried, history: new GeneratedHistory(log), open, start, advance };
}

async function caughtUpAll(log: MemoryLog, build: ViewBuild): Promise<void> {
  for (const { topic, partition } of inputsFrom(log, {})) {
    const end = await log.end(topic, partition);
    if (end === 0) continue;
    const passed = await waitForCheckpoint(build, { topic, partition, offset: end - 1 }, waitMaxMs);
    if (!passed) throw new Error(`The views did not pass ${topic}/${partition}`);
  }
}

const subscribed = (subscriptionId: string): Step => ({
  topic: 'listeners',
  emitterId: '',
  type: 'SubscriptionCreated',
  data: {
    subscriptionId,
    emitterId: 'dc_*',
    listenerId: 'wh_1',
    eventName: null,
    fingerprint: null,
    channelEnds: [0, 0, 0],
  },
});

test('records appended before and after the start appear in the views', async () => {
  const { log, views, history, start, fatal } = setUp();
  await history.append([subscribed('sub_1')]);
  const projection = await start();
  await caughtUpAll(log, views.live());
  expect(await views.live().get('subscriptions', 'sub_1')).toBeDefined();
  await history.append([subscribed('sub_2')]);
  await caughtUpAll(log, views.live());
  expect(await views.live().get('subscriptions', 'sub_2')).toBeDefined();
  await projection.stop();
  expect(fatal).toEqual([]);
});

test('the projection continues from the checkpoint, not from the beginning', async () => {
  const { log, views, history, start } = setUp();
  await history.append([subscribed('sub_1'), subscribed('sub_2')]);
  const [first] = log.records('listeners');
  await views.live().saveCheckpoint({ 'listeners/0': (first?.offset ?? 0) + 1 });
  const projection = await start();
  await caughtUpAll(log, views.live());
  expect(await views.live().get('subscriptions', 'sub_1')).toBeUndefined();
  expect(await views.live().get('subscriptions', 'sub_2')).toBeDefined();
  await projection.stop();
});

test.each([
  ['put', false],
  ['put', true],
  ['saveCheckpoint', false],
  ['saveCheckpoint', true],
  ['getMany', false],
] as const)('a port failure at %s (carried out: %s) is retried and does not affect the views', async (method, done) => {
  const { log, views, history, start, retried, fatal } = setUp();
  const steps = fc.sample(historySteps, { numRuns: 8, seed: 7 }).flat();
  const calm = setUp();
  await calm.history.append(steps);
  const undisturbed = await calm.start();
  await caughtUpAll(calm.log, calm.views.live());
  await undisturbed.stop();

  views.faults.push({ method, done, error: new PortError(done ? 'unknown_outcome' : 'unavailable', 'for now') });
  await history.append(steps);
  const projection = await start();
  await caughtUpAll(log, views.live());
  await projection.stop();
  expect(retried).toHaveLength(1);
  expect(fatal).toEqual([]);
  expect(await snapshot(views.live())).toEqual(await snapshot(calm.views.live()));
});

test('after a kill between documents and checkpoint, the next start repeats the records without effect', async () => {
  const { log, views, history, start, fatal } = setUp();
  const steps = fc.sample(historySteps, { numRuns: 8, seed: 11 }).flat();
  await history.append(steps);
  const killed = new PortError('closed', 'killed here');
  views.faults.push({ method: 'saveCheckpoint', done: false, error: killed });
  const first = await start();
  await waitFor(() => fatal.length === 1);
  expect(fatal).toEqual([killed]);
  expect(await views.live().checkpoint()).toEqual({});
  const before = await snapshot(views.live());
  expect(before.length).toBeGreaterThan(0);
  await first.stop();

  const second = await start();
  await caughtUpAll(log, views.live());
  await second.stop();
  expect(await snapshot(views.live())).toEqual(await rebuiltBy(log));
});

test('an unexpected error of the store reaches onFatal, and the checkpoint stays before the record', async () => {
  const { views, history, start, fatal } = setUp();
  views.faults.push({ method: 'saveCheckpoint', done: false, error: new Error('no such state') });
  await history.append([subscribed('sub_1')]);
  const projection = await start();
  await waitFor(() => fatal.length === 1);
  expect(fatal).toEqual([new Error('no such state')]);
  expect(await views.live().checkpoint()).toEqual({});
  await projection.stop();
});

test('a record at which a view throws is left out and reported, and the next one is shown', async () => {
  const [subscriptions] = productViews.filter(({ definition }) => definition.name === 'subscriptions');
  const failingView: View = {
    ...(subscriptions as View),
    evolve: (current, record) => {
      if (record.id === 'rec_0') throw new Error('no such state');
      return subscriptions?.evolve(current, record);
    },
  };
  const raised: string[] = [];
  const alerts = { raise: (code: string, subject: string) => raised.push(`${code} ${subject}`), end: () => {} };
  const { log, views, history, start, fatal } = setUp({ definitions: [failingView], alerts });
  await history.append([subscribed('sub_1'), subscribed('sub_2')]);
  const projection = await start();
  await caughtUpAll(log, views.live());
  expect(await views.live().get('subscriptions', 'sub_1')).toBeUndefined();
  expect(await views.live().get('subscriptions', 'sub_2')).toBeDefined();
  expect([fatal, raised]).toEqual([[], ['malformed_record listeners']]);
  await projection.stop();
});

test('a document that the store refuses is left out, and the others are shown', async () => {
  const [subscriptions] = productViews.filter(({ definition }) => definition.name === 'subscriptions');
  const unindexed: View = {
    ...(subscriptions as View),
    evolve: (current, record) => {
      const made = subscriptions?.evolve(current, record);
      return record.id === 'rec_0' && made !== undefined ? { ...made, createdAt: null } : made;
    },
  };
  const { log, views, history, start, fatal } = setUp({ definitions: [unindexed] });
  await history.append([subscribed('sub_1'), subscribed('sub_2')]);
  const projection = await start();
  await caughtUpAll(log, views.live());
  expect(await views.live().get('subscriptions', 'sub_1')).toBeUndefined();
  expect(await views.live().get('subscriptions', 'sub_2')).toBeDefined();
  expect(fatal).toEqual([]);
  await projection.stop();
});

test('refuses a view of a topic that the projection may not read', () => {
  const [first] = productViews;
  if (first === undefined) throw new Error('no views');
  expect(() => setUp({ definitions: [{ ...first, topics: ['commands'] }] }).open()).toThrow(/commands/);
});

test('the projection is healthy while its loop turns, and unhealthy once it has stood still for 30 s', async () => {
  const { log, views, history, open, start, advance } = setUp();
  const never = open();
  expect(never.healthy).toBe(true);
  advance(30_000);
  expect(never.healthy).toBe(false);
  const projection = await start();
  advance(5);
  await history.append([subscribed('sub_1')]);
  await caughtUpAll(log, views.live());
  await waitFor(() => projection.idleMs < 5);
  await projection.stop();
});

test('views that are ahead of the log start again from its beginning', async () => {
  const resets: string[] = [];
  const { log, views, history, start } = setUp({ onViewsReset: (message) => resets.push(message) });
  await views.live().put([{ view: 'subscriptions', id: 'sub_9', version: 90, value: subscriptionOf('sub_9') }]);
  await views.live().saveCheckpoint({ 'listeners/0': 91 });
  await history.append([subscribed('sub_1')]);
  const projection = await start();
  await waitFor(() => resets.length === 1);
  await caughtUpAll(log, views.live());
  await projection.stop();
  expect(await views.live().get('subscriptions', 'sub_9')).toBeUndefined();
  expect(await views.live().get('subscriptions', 'sub_1')).toBeDefined();
  expect(resets[0]).toContain('listeners/0');
});

test('views that are emptied while nothing is appended are filled again, and then hold what comes after', async () => {
  const { log, views, history, start, fatal } = setUp();
  await history.append([subscribed('sub_1')]);
  await start();
  await caughtUpAll(log, views.live());
  await views.switchTo(await views.begin());
  await caughtUpAll(log, views.live());
  await history.append([subscribed('sub_2')]);
  await caughtUpAll(log, views.live());
  const found = await views.live().getMany('subscriptions', ['sub_1', 'sub_2']);
  expect([found.map((document) => document?.id), fatal]).toEqual([['sub_1', 'sub_2'], []]);
});

test('views that were restored from an older copy are filled from there before they pass anything else', async () => {
  const { log, views, history, start, retried } = setUp();
  await history.append([subscribed('sub_1')]);
  await start();
  await caughtUpAll(log, views.live());
  views.older.set('listeners/0', 0);
  await caughtUpAll(log, views.live());
  expect([retried, views.older.size]).toEqual([['unavailable'], 0]);
});

test('a stop does not wait for records that may never come', async () => {
  const { log, fatal, start } = setUp();
  const tailOf = log.tail.bind(log);
  const anHourMs = 3_600_000;
  log.tail = (...from) => {
    const tail = tailOf(...from);
    const next = tail.next.bind(tail);
    tail.next = () => next(anHourMs);
    return tail;
  };
  const projection = await start();
  await projection.stop();
  expect(fatal).toEqual([]);
});

test('after any history a rebuild equals the live views, byte for byte', async () => {
  const property = fc.asyncProperty(historySteps, fc.nat(60), async (steps, repeatFrom) => {
    const { log, views, history, open, start } = setUp();
    await history.append(steps);
    const first = await start();
    await caughtUpAll(log, views.live());
    await first.stop();
    for (const [key, offset] of Object.entries(await checkpointAt(log, repeatFrom))) views.older.set(key, offset);
    const second = await start();
    await caughtUpAll(log, views.live());
    await second.stop();
    const live = [await snapshot(views.live()), await views.live().heldRecords()];
    const name = views.live().name;
    await open().rebuild();
    expect(views.live().name).not.toBe(name);
    expect([await snapshot(views.live()), await views.live().heldRecords()]).toEqual(live);
  });
  await fc.assert(property, { numRuns: 60 });
});

test('a rebuild beside no running service holds the whole log, also where there were no views', async () => {
  const { log, views, history, open, start, fatal } = setUp();
  await history.append(fc.sample(historySteps, { numRuns: 20, seed: 5 }).flat());
  const { documents } = await open().rebuild();
  const rebuilt = await snapshot(views.live());
  expect(documents).toBeGreaterThanOrEqual(rebuilt.length);
  expect(rebuilt).toEqual(await rebuiltBy(log));
  const projection = await start();
  await caughtUpAll(log, views.live());
  await projection.stop();
  expect(fatal).toEqual([]);
  expect(await snapshot(views.live())).toEqual(rebuilt);
});

test('a rebuild on disk equals the live views too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'views-'));
  const views = await SqliteViewStore.open({ file: join(folder, 'views.sqlite'), definitions: viewDefinitions });
  try {
    const { log, history, start } = setUp({ views });
    await history.append(fc.sample(historySteps, { numRuns: 20, seed: 13 }).flat());
    const projection = await start();
    await caughtUpAll(log, views.live());
    const live = await snapshot(views.live());
    const name = views.live().name;
    const { documents } = await projection.rebuild();
    await projection.stop();
    expect(documents).toBeGreaterThanOrEqual(live.length);
    expect(views.live().name).not.toBe(name);
    expect(await snapshot(views.live())).toEqual(live);
    expect(live).toEqual(await rebuiltBy(log));
  } finally {
    await views.close();
    await rm(folder, { recursive: true });
  }
});

test('a rebuild while records arrive includes all of them, and the projection continues', async () => {
  const { log, views, history, start, fatal } = setUp();
  const [before = [], during = [], after = []] = fc.sample(historySteps, { numRuns: 3, seed: 3 });
  await history.append(before);
  const projection = await start();
  const rebuilt = projection.rebuild();
  expect(projection.rebuild()).toBe(rebuilt);
  await history.append(during);
  expect((await rebuilt).durationMs).toBeGreaterThan(0);
  await history.append(after);
  await caughtUpAll(log, views.live());
  await projection.stop();
  expect(fatal).toEqual([]);
  expect(await snapshot(views.live())).toEqual(await rebuiltBy(log));
});

test('the live views pause while readers are switched, so that no record is lost between two builds', async () => {
  const { log, views, history, start } = setUp();
  await history.append([subscribed('sub_1')]);
  const projection = await start();
  await caughtUpAll(log, views.live());
  const switchTo = views.switchTo.bind(views);
  let passedMeanwhile: boolean | undefined;
  views.switchTo = async (build) => {
    await history.append([subscribed('sub_2')]);
    const offset = (await log.end('listeners', 0)) - 1;
    passedMeanwhile = await waitForCheckpoint(views.live(), { topic: 'listeners', partition: 0, offset }, 50);
    await switchTo(build);
  };
  await projection.rebuild();
  await caughtUpAll(log, views.live());
  expect(passedMeanwhile).toBe(false);
  expect(await views.live().get('subscriptions', 'sub_2')).toBeDefined();
  await projection.stop();
});

test('a rebuild that fails halfway leaves the live views unchanged, and the next one succeeds', async () => {
  const { log, views, history, open, start } = setUp();
  await history.append(fc.sample(historySteps, { numRuns: 8, seed: 5 }).flat());
  const projection = await start();
  await caughtUpAll(log, views.live());
  await projection.stop();
  const live = await snapshot(views.live());
  const name = views.live().name;
  const read = log.read.bind(log);
  let reads = 0;
  log.read = async (...args) => {
    if (++reads === 4) throw new Error('killed here');
    return read(...args);
  };
  await expect(open().rebuild()).rejects.toThrow('killed here');
  expect(views.live().name).toBe(name);
  expect(await snapshot(views.live())).toEqual(live);
  await open().rebuild();
  expect(views.live().name).not.toBe(name);
  expect(await snapshot(views.live())).toEqual(live);
});

test('a stop aborts a rebuild', async () => {
  const { history, views, log, start } = setUp();
  await history.append(fc.sample(historySteps, { numRuns: 4, seed: 5 }).flat());
  const projection = await start();
  await caughtUpAll(log, views.live());
  const name = views.live().name;
  const rebuilt = projection.rebuild();
  const outcome = rebuilt.then(
    () => 'rebuilt',
    (error: Error) => error.message,
  );
  await projection.stop();
  expect(await outcome).toContain('stopping');
  expect(views.live().name).toBe(name);
});

const subscriptionOf = (subscriptionId: string) => ({
  workspace: 'o_1',
  subscriptionId,
  emitterId: 'dc_*',
  listenerId: 'wh_1',
  eventName: null,
  triple: '[]',
  createdAt: 1,
});

/** A checkpoint that a crash can leave: at most `back` offsets behind in each partition. */
async function checkpointAt(log: MemoryLog, back: number): Promise<Record<string, number>> {
  const positions: Record<string, number> = {};
  for (const { topic, partition } of inputsFrom(log, {})) {
    positions[positionKey(topic, partition)] = Math.max(0, (await log.end(topic, partition)) - back);
  }
  return positions;
}

/** New views, built from the whole log. */
async function rebuiltBy(log: MemoryLog): Promise<string[]> {
  const views = new MemoryViewStore(viewDefinitions);
  const projection = new Projection({ log, views, elapsedMs: () => 0 });
  running.push(projection);
  const failures: unknown[] = [];
  await projection.start((error) => failures.push(error));
  await caughtUpAll(log, views.live());
  await projection.stop();
  expect(failures).toEqual([]);
  return snapshot(views.live());
}

async function waitFor(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + waitMaxMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('The condition did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

test('removes subscriptions with their webhook or source, and keeps those created later', async () => {
  const { log, views, history, start } = setUp();
  const subscribed = (subscriptionId: string, emitterId: string, listenerId: string): Step =>
    control('listeners', 'SubscriptionCreated', {
      subscriptionId,
      emitterId,
      listenerId,
      eventName: null,
      fingerprint: null,
      channelEnds: [0, 0, 0],
    });
  const steps = [
    ...Array.from({ length: 1_200 }, (_, i) => subscribed(`sub_a${i}`, `dc_${i}`, 'wh_gone')),
    subscribed('sub_b', 'dc_gone', 'wh_1'),
    subscribed('sub_c', 'dc_1', 'wh_1'),
    control('listeners', 'WebhookDeleted', { webhookId: 'wh_gone' }),
    control('listeners', 'EmitterGone', { emitterId: 'dc_gone' }),
    subscribed('sub_d', 'dc_gone', 'wh_1'),
  ];
  await history.append(steps);
  const projection = await start();
  const end = await log.end('listeners', 0);
  await waitForCheckpoint(views.live(), { topic: 'listeners', partition: 0, offset: end - 1 }, waitMaxMs);
  const remainingIds = async (): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of views.live().all('subscriptions')) ids.push(id);
    return ids;
  };
  expect(await remainingIds()).toEqual(['sub_c', 'sub_d']);
  await projection.rebuild();
  expect(await remainingIds()).toEqual(['sub_c', 'sub_d']);
});
