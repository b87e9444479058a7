// Runs with long outputs, and other runs of their partition.
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '../testing/life.fake.ts';
import type { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';

let world: World;
const { begin, events, runs, finished, life } = worldForEachTest((made) => (world = made));

const count = 2_000;

/** Emits thousands of events, and counts its runs in its db. */
async function deployFlood(sourceId: string): Promise<void> {
  await world.deploy(sourceId, {
    run: ({ emit, db }) => {
      const run = Number(db.get('runs') ?? 0) + 1;
      db.set('runs', run);
      for (let n = 0; n < count; n++) emit({ event: { run, n } });
    },
  });
}

const numbersOf = (sourceId: string): readonly unknown[] =>
  events().flatMap(({ emitterId, event }) => (emitterId === sourceId ? [event] : []));

const flooded = (times: number): readonly unknown[] =>
  Array.from({ length: times * count }, (_, at) => ({ run: Math.floor(at / count) + 1, n: at % count }));

test('a long output is on the log whole, in order and with numbers without gaps, and so is what its source emits after it', async () => {
  await deployFlood('dc_flood');
  await begin();
  for (let n = 0; n < 3; n++) await world.trigger('dc_flood');
  await finished(3);
  expect(numbersOf('dc_flood')).toEqual(flooded(3));
  expect(events().map(({ eventId }) => Number(eventId.split('-')[1]))).toEqual(
    Array.from({ length: 3 * count }, (_, at) => at),
  );
  expect(runs().flatMap(({ emitted }) => emitted)).toEqual(events().map(({ eventId }) => eventId));
  expect(world.db('dc_flood')).toEqual({ runs: 3 });
});

test("others' outputs are appended while a long one is encoded", async () => {
  await deployFlood('dc_flood');
  await world.deploy('dc_quick', { run: ({ emit }) => emit({ event: 'quick' }) });
  await begin();
  await world.trigger('dc_flood');
  await world.trigger('dc_quick');
  await finished(2);
  expect(events()[0]?.emitterId).toBe('dc_quick');
  expect(numbersOf('dc_flood')).toEqual(flooded(1));
});

test('a run sees the db as a long output of its source leaves it that is not on the log yet', async () => {
  await deployFlood('dc_flood');
  await begin();
  await Promise.all([1, 2].map(() => world.trigger('dc_flood')));
  await finished(2);
  expect(numbersOf('dc_flood')).toEqual(flooded(2));
});

test('a run whose long output was being encoded at a kill -9 runs again, and its events are there once', async () => {
  let ran = 0;
  await world.deploy('dc_flood', {
    run: ({ emit }) => {
      for (let n = 0; n < count; n++) emit({ event: { run: 1, n } });
      ran++;
    },
  });
  await world.deploy('dc_quick', { run: ({ emit }) => emit({ event: 'quick' }) });
  await begin();
  await world.trigger('dc_flood');
  await until(() => ran === 1, 'the run');
  await world.trigger('dc_quick');
  await finished(1);
  life()?.kill();
  await begin();
  await finished(2);
  expect(ran).toBe(2);
  expect(events().filter(({ emitterId }) => emitterId === 'dc_quick')).toHaveLength(1);
  expect(numbersOf('dc_flood')).toEqual(flooded(1));
});

test('a stage that stops while it encodes a long output still appends it', async () => {
  let hasRun = false;
  await world.deploy('dc_flood', {
    run: ({ emit }) => {
      for (let n = 0; n < count; n++) emit({ event: { run: 1, n } });
      hasRun = true;
    },
  });
  await begin();
  await world.trigger('dc_flood');
  await until(() => hasRun, 'the run');
  await turn();
  await life()?.stop(5_000);
  expect(numbersOf('dc_flood')).toEqual(flooded(1));
});
