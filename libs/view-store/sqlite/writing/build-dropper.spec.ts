// When the steps of a drop run, and what ends them.
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { BuildDropper } from './build-dropper.ts';

const waitMaxMs = 10_000;

/** Makes a BuildDropper whose builds take `steps` steps each. */
function makeDropper(steps: number) {
  const done: string[] = [];
  const dropper = new BuildDropper(async (build) => {
    // As when an answer of the writing thread arrives.
    await turn();
    done.push(build);
    if (build === 'broken') throw new Error('no');
    return done.filter((one) => one === build).length < steps;
  });
  const until = async (count: number): Promise<void> => {
    for (const deadline = performance.now() + waitMaxMs; done.length < count; await delay(1))
      if (performance.now() > deadline) throw new Error(`only ${done.length} steps were done`);
  };
  return { dropping: dropper, done, until };
}

test('a drop begins a while after the request, and at once if it is hurried', async () => {
  const { dropping, done, until } = makeDropper(2);
  dropping.add('1');
  await turn();
  expect(done).toEqual([]);
  dropping.hurry();
  await until(2);
  expect(done).toEqual(['1', '1']);
});

test('builds are dropped one after another, and one that fails blocks none', async () => {
  const { dropping, done, until } = makeDropper(2);
  for (const build of ['1', 'broken', '2']) dropping.add(build);
  dropping.hurry();
  await until(5);
  expect(done).toEqual(['1', '1', 'broken', '2', '2']);
  await turn();
  dropping.add('3');
  await turn();
  expect(done).toHaveLength(5);
  dropping.hurry();
  await until(7);
});

test('no step begins after a stop', async () => {
  const { dropping, done, until } = makeDropper(Infinity);
  dropping.add('1');
  dropping.hurry();
  await until(1);
  dropping.stop();
  // The step in flight ends.
  await turn();
  const { length } = done;
  await delay(20);
  expect(done).toHaveLength(length);
});
