// Killed anywhere and opened again, a partition's sources have the same output as without kills.
import type { EmittedEvent, RunEvent } from '../../domain/channel/messages.ts';
import type { Json } from '../../domain/json.ts';
import { FakeSandbox } from '../../sandbox/sandbox.fake.ts';
import { Life, until } from './testing/life.fake.ts';
import type { LifeOptions, Step } from './testing/life.fake.ts';
import { World } from './testing/world.fake.ts';

interface Story {
  readonly events: readonly unknown[];
  readonly runs: readonly string[];
  readonly db: Record<string, Json>;
}

const sources = ['dc_1', 'dc_2', 'dc_3'];
const triggersEach = 8;

/**
 * Counters that keep their number in the db, emit it and a copy, and sometimes fail; a hook emits at the same time.
 * They write last: the end of a hook includes what a run has written so far, so a repeated run could see it.
 */
async function scripted(): Promise<World> {
  const world = new World();
  await world.addKey();
  for (const sourceId of sources) {
    await world.deploy(sourceId, {
      dedupe: 'unique',
      hooks: {
        activate: async ({ db, emit }) => {
          db.set('hook', true);
          await new Promise(setImmediate);
          emit({ event: 'activated', id: 'hook' });
        },
      },
      run: async ({ event, db, emit }) => {
        const n = Number(db.get('n') ?? 0) + 1;
        if (n % 2 === 0) await new Promise(setImmediate);
        db.set('n', n);
        emit({ event: { n, body: (event as { body: Json }).body }, id: n });
        emit({ event: 'copy', id: n });
        if (n % 5 === 0) throw new Error('every fifth');
      },
    });
    await world.trigger(sourceId, { kind: 'activate' });
  }
  for (let n = 0; n < triggersEach; n++) for (const sourceId of sources) await world.post(sourceId, n);
  return world;
}

const allRuns = sources.length * (triggersEach + 1);
const runCount = (world: World): number => world.log.records('runs').length;

/** The output without what can differ: times, and the position of the hook's event among the others. */
function story(world: World): Story {
  const perSource = sources.map((sourceId) => {
    const own = world.data<EmittedEvent['data']>('channels').filter(({ emitterId }) => emitterId === sourceId);
    expect(own.map(({ eventId }) => Number(eventId.split('-')[1]))).toEqual(own.map((_, index) => index));
    const times = own.map(({ eventId }) => Number(eventId.split('-')[0]));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const runs = own.filter(({ event }) => event !== 'activated');
    return [...runs.map(({ event }) => event), own.length - runs.length];
  });
  const records = world.log.records('runs');
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  const runs = world
    .data<RunEvent['data']>('runs')
    .map(({ runId, outcome, deduped }) => `${runId} ${outcome} ${deduped}`);
  const db = Object.fromEntries(sources.map((sourceId) => [sourceId, world.db(sourceId)]));
  return { events: perSource, runs: runs.toSorted(), db };
}

async function live(world: World, options: LifeOptions): Promise<Life> {
  const life = await Life.begin(world, options);
  await until(() => life.killed || runCount(world) === allRuns);
  expect(life.failure).toBeUndefined();
  return life;
}

/** Small appends, so that there are many points for a kill. */
const appendBytes = 30_000;

async function undisturbed(): Promise<{ readonly story: Story; readonly steps: Record<Step, number> }> {
  const world = await scripted();
  const steps = { ended: 0, taken: 0, appended: 0 };
  const count = (step: Step): boolean => {
    steps[step]++;
    return false;
  };
  const life = await live(world, { appendBytes, killAt: count });
  await life.stop(0);
  return { story: story(world), steps };
}

test.each<Step>(['ended', 'taken', 'appended'])(
  'after a kill at any point where a run or an append has just %s, the output is the same as without a kill',
  async (step) => {
    const { story: expected, steps } = await undisturbed();
    expect(steps[step]).toBeGreaterThan(5);
    // The events of the runs, the report of the fifth, and the number of the hook's events.
    expect(expected.events[0]).toHaveLength(triggersEach + 2);
    for (let place = 1; place <= steps[step]; place++) {
      const world = await scripted();
      const first = await live(world, { appendBytes, killAt: (at, count) => at === step && count === place });
      if (!first.killed) await first.stop(0);
      const second = await live(world, {});
      await second.stop(0);
      expect(story(world)).toEqual(expected);
    }
  },
);

test('after kills at every third step, all triggers still finish with the same output', async () => {
  const { story: expected } = await undisturbed();
  const world = await scripted();
  let steps = 0;
  for (let lives = 0; runCount(world) < allRuns; lives++) {
    expect(lives).toBeLessThan(200);
    const life = await live(world, { appendBytes, killAt: (step) => step !== 'ended' && ++steps % 3 === 0 });
    if (!life.killed) await life.stop(0);
  }
  expect(story(world)).toEqual(expected);
});

test('reopening the partition resolves an append with an unknown outcome, whether it was carried out or not', async () => {
  const { story: expected } = await undisturbed();
  for (const fault of ['unknown_outcome_committed', 'unknown_outcome_lost'] as const) {
    const world = await scripted();
    const sandbox = new FakeSandbox(world.components, world.ambient.now);
    const life = new Life(world, { appendBytes, sandbox });
    world.log.failNextAppend(fault);
    await life.open();
    await until(() => life.killed);
    expect(life.failure?.message).toContain(fault);
    await life.task?.stop(0);
    await (await live(world, { sandbox })).stop(0);
    expect(story(world)).toEqual(expected);
  }
});

test('after a kill, triggers finished beyond the mark do not run again, and the one that holds the mark does', async () => {
  const world = new World();
  await world.addKey();
  const started: unknown[] = [];
  const slow = Promise.withResolvers<void>();
  await world.deploy('dc_slow', {
    run: async ({ emit }) => {
      started.push('slow');
      await slow.promise;
      emit({ event: 'slow' });
    },
  });
  await world.deploy('dc_quick', { run: ({ event }) => void started.push((event as { body: Json }).body) });
  await world.post('dc_slow', 0);
  for (const n of [1, 2, 3]) await world.post('dc_quick', n);
  const first = await Life.begin(world);
  await until(() => runCount(world) === 3);
  expect(first.outputs.at(-1)?.positions['triggers/0']).toBe(0);
  first.kill();
  slow.resolve();
  await world.post('dc_quick', 4);
  const second = await Life.begin(world);
  await until(() => runCount(world) === 5);
  await second.stop(0);
  expect(started).toEqual(['slow', 1, 2, 3, 'slow', 4]);
  const end = await world.log.end('triggers', 0);
  expect(second.outputs.at(-1)?.positions['triggers/0']).toBeGreaterThanOrEqual(end);
});

test('ids are deduped across restarts', async () => {
  const world = new World();
  await world.addKey();
  await world.deploy('dc_a', {
    dedupe: 'unique',
    run: ({ event, emit }) => emit({ event: 1, id: String((event as { body: Json }).body) }),
  });
  for (const id of ['a', 'b', 'a']) {
    await world.post('dc_a', id);
    const before = runCount(world);
    const life = await Life.begin(world);
    await until(() => runCount(world) === before + 1);
    life.kill();
  }
  expect(world.data<EmittedEvent['data']>('channels').map(({ emit }) => emit.id)).toEqual(['a', 'b']);
});

test('a stop waits for active runs, starts no new ones, and leaves the rest to the next start', async () => {
  const world = new World();
  await world.addKey();
  const slow = Promise.withResolvers<void>();
  const started: unknown[] = [];
  await world.deploy('dc_a', {
    run: async ({ event, emit }) => {
      started.push((event as { body: Json }).body);
      await slow.promise;
      emit({ event: 1 });
    },
  });
  await world.post('dc_a', 1);
  await world.post('dc_a', 2);
  const first = await Life.begin(world);
  await until(() => started.length === 1);
  const stopped = first.stop(5_000);
  slow.resolve();
  await stopped;
  expect(started).toEqual([1]);
  expect(runCount(world)).toBe(1);
  const second = await Life.begin(world);
  await until(() => runCount(world) === 2);
  await second.stop(0);
  expect(started).toEqual([1, 2]);
});

test('a stop that does not wait drops active runs, and the next start repeats them', async () => {
  const world = new World();
  await world.addKey();
  let started = 0;
  await world.deploy('dc_a', {
    run: async ({ db, emit }) => {
      db.set('begun', started + 1);
      if (++started === 1) await new Promise(() => {});
      emit({ event: db.get('begun') ?? null });
    },
  });
  await world.post('dc_a', 1);
  const sandbox = new FakeSandbox(world.components, world.ambient.now);
  const first = await Life.begin(world, { sandbox });
  await until(() => started === 1);
  await first.stop(0);
  expect(runCount(world)).toBe(0);
  const second = await Life.begin(world, { sandbox });
  await until(() => runCount(world) === 1);
  await second.stop(0);
  expect(world.db('dc_a')).toEqual({ begun: 2 });
});

test('triggers beyond the memory bound keep only their offsets, and reading pauses when too many wait', async () => {
  const world = new World();
  await world.addKey();
  const slow = Promise.withResolvers<void>();
  await world.deploy('dc_a', {
    run: async ({ event, emit }) => {
      await slow.promise;
      emit({ event: (event as { body: Json }).body });
    },
  });
  const count = 30;
  for (let n = 0; n < count; n++) await world.post('dc_a', n);
  const life = await Life.begin(world, { limits: { retainedBytesMax: 5_000, queuedMax: 20 } });
  await until(() => life.paused.length === 1);
  slow.resolve();
  await until(() => runCount(world) === count);
  await life.stop(0);
  expect(life.paused).toEqual(['pause triggers', 'resume triggers']);
  expect(world.data<EmittedEvent['data']>('channels').map(({ event }) => event)).toEqual(
    Array.from({ length: count }, (_, n) => n),
  );
});

test('triggers kept only as offsets are read back in order, including malformed ones, even after a kill', async () => {
  const world = new World();
  await world.addKey();
  for (const sourceId of sources) {
    await world.deploy(sourceId, { run: ({ event, emit }) => emit({ event: (event as { body: Json }).body }) });
  }
  const count = 100;
  for (let n = 0; n < count; n++) {
    for (const sourceId of sources) await world.post(sourceId, n);
    if (n % 10 === 9) await world.requestMalformed('dc_1');
  }
  const limits = { bufferedMax: 10, bufferedOfLaneMax: 4 };
  const first = await Life.begin(world, { limits, appendBytes, killAt: (step, at) => step === 'appended' && at === 5 });
  await until(() => first.killed);
  expect(runCount(world)).toBeLessThan(count);
  const second = await Life.begin(world, { limits });
  await until(() => runCount(world) === sources.length * count + count / 10);
  await second.stop(0);
  expect([second.failure, second.paused]).toEqual([undefined, []]);
  for (const sourceId of sources) {
    const own = world.data<EmittedEvent['data']>('channels').filter(({ emitterId }) => emitterId === sourceId);
    expect(own.map(({ event }) => event)).toEqual(Array.from({ length: count }, (_, n) => n));
  }
  const refused = world.data<RunEvent['data']>('runs').filter(({ outcome }) => outcome === 'refused');
  expect(refused).toHaveLength(count / 10);
});

test('a trigger that is still being read when its task stops does not reach the sandbox', async () => {
  const world = new World();
  await world.addKey();
  let started = 0;
  await world.deploy('dc_a', { run: () => void started++ });
  await world.post('dc_a', 1);
  const gate = Promise.withResolvers<void>();
  const read = world.log.read.bind(world.log);
  let readBacks = 0;
  world.log.read = async (topic, partition, from, bounds) => {
    if (bounds.recordsMax === 1 && ++readBacks === 1) await gate.promise;
    return read(topic, partition, from, bounds);
  };
  const limits = { retainedBytesMax: 0 };
  const first = await Life.begin(world, { limits });
  await until(() => readBacks === 1);
  await first.stop(0);
  gate.resolve();
  await new Promise(setImmediate);
  expect(started).toBe(0);
  const second = await Life.begin(world, { limits });
  await until(() => runCount(world) === 1);
  await second.stop(0);
  expect(started).toBe(1);
});
