// Parallel runs of one source: each counts once, with its writes and emits, wherever the process is killed.
import type { EmittedEvent, RunEvent, StateEvent } from '../../domain/channel/messages.ts';
import type { Json } from '../../domain/json.ts';
import { Life, until } from './testing/life.fake.ts';
import type { LifeOptions, Step } from './testing/life.fake.ts';
import { World } from './testing/world.fake.ts';

const sourceId = 'dc_1';
const concurrency = 4;
const triggers = 24;

/** How many turns each run waits: the first of four waits longest, so that others overtake it. */
const turnsOf = (n: number): number => (n % concurrency === 0 ? 9 : n % concurrency);

interface Scripted {
  readonly world: World;
  readonly most: () => number;
}

async function scripted(): Promise<Scripted> {
  const world = new World();
  await world.addKey();
  let running = 0;
  let most = 0;
  await world.deploy(sourceId, {
    dedupe: 'unique',
    settings: { concurrency },
    run: async ({ event, db, emit }) => {
      most = Math.max(most, ++running);
      const n = (event as { body: number }).body;
      db.set(`run ${n}`, Number(db.get(`run ${n}`) ?? 0) + 1);
      db.set('last', n);
      for (let turn = 0; turn < turnsOf(n); turn++) await new Promise(setImmediate);
      emit({ event: n, id: `id ${n}` });
      emit({ event: 'same of all', id: 'same' });
      running--;
    },
  });
  for (let n = 0; n < triggers; n++) await world.post(sourceId, n);
  return { world, most: () => most };
}

async function live(world: World, options: LifeOptions): Promise<Life> {
  const life = await Life.begin(world, options);
  await until(() => life.killed || world.log.records('runs').length === triggers);
  expect(life.failure).toBeUndefined();
  return life;
}

/** Small appends, so that there are many points for a kill. */
const appendBytes = 20_000;

function check(world: World): void {
  const runs = world.data<RunEvent['data']>('runs');
  expect(new Set(runs.map(({ runId }) => runId)).size).toBe(triggers);
  expect(runs.filter(({ outcome }) => outcome !== 'succeeded')).toEqual([]);
  const events = world.data<EmittedEvent['data']>('channels');
  expect(events.map(({ eventId }) => Number(eventId.split('-')[1]))).toEqual(events.map((_, index) => index));
  const numbers = events.map(({ event }) => event).filter((event) => typeof event === 'number');
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: triggers }, (_, n) => n));
  expect(events).toHaveLength(triggers + 1);
  const { last, ...each } = world.db(sourceId) as Record<string, Json>;
  expect(each).toEqual(Object.fromEntries(Array.from({ length: triggers }, (_, n) => [`run ${n}`, 1])));
  expect(last).toBe(numbers.at(-1));
}

test('parallel runs are logged in the order in which they end, and the last one to end decides what the db holds', async () => {
  const { world, most } = await scripted();
  const life = await live(world, { appendBytes });
  await life.stop(0);
  check(world);
  expect(most()).toBe(concurrency);
  const order = world.data<EmittedEvent['data']>('channels').map(({ event }) => event);
  expect(order.indexOf(1)).toBeLessThan(order.indexOf(0));
});

test.each<Step>(['ended', 'taken', 'appended'])(
  'after a kill at any point where a run or an append has just %s, every run counts exactly once',
  async (step) => {
    let overtaken = 0;
    let places = 0;
    const undisturbed = await scripted();
    const counting = await live(undisturbed.world, {
      appendBytes,
      killAt: (at, count) => {
        if (at === step) places = count;
        return false;
      },
    });
    await counting.stop(0);
    expect(places).toBeGreaterThan(5);
    for (let killPoint = 1; killPoint <= places; killPoint++) {
      const { world } = await scripted();
      const first = await live(world, { appendBytes, killAt: (at, count) => at === step && count === killPoint });
      if (!first.killed) await first.stop(0);
      overtaken += world.data<StateEvent['data']>('state').filter((state) => state?.overtaken !== undefined).length;
      const second = await live(world, {});
      await second.stop(0);
      check(world);
    }
    expect(overtaken).toBeGreaterThan(0);
  },
);
