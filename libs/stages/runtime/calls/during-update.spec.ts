// Calls during an update: runs on one revision and calls on the next never work on two copies of one db.
import type { SourceSettings } from '../../../domain/source/source-settings.ts';
import { FakeSandbox } from '../../../sandbox/sandbox.fake.ts';
import type { FakeFunction } from '../../../sandbox/sandbox.fake.ts';
import type { Invocation, InvocationOutcome } from '../../../sandbox/sandbox.ts';
import { until } from '../testing/life.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';
import type { World } from '../testing/world.fake.ts';

let world: World;
const { begin, events, runs, finished } = worldForEachTest((made) => (world = made));

interface Change {
  readonly revision?: number;
  readonly settings?: SourceSettings;
}

const turns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe.each<[string, Change]>([
  ['another revision', { revision: 2 }],
  ['other settings', { settings: { memoryMb: 64 } }],
])('%s', (...[, change]) => {
  test.each([
    ['manual', 'sample'],
    ['sample', 'manual'],
  ] as const)(
    'while a %s trigger is running, a %s trigger waits and then sees what was written',
    async (running, requested) => {
      const hanging = Promise.withResolvers<void>();
      const started: string[] = [];
      const writes: FakeFunction = async ({ db }) => {
        started.push('first');
        await hanging.promise;
        db.set('last', 100);
      };
      const reads: FakeFunction = ({ db, emit }) => {
        started.push('then');
        emit({ event: db.get('last') ?? null });
      };
      await world.deploy('dc_a', { run: writes, sample: writes });
      await begin();
      await world.trigger('dc_a', { kind: running });
      await until(() => started.length === 1);
      await world.deploy('dc_a', { run: reads, sample: reads, ...change });
      await turns();
      await world.trigger('dc_a', { kind: requested });
      await turns();
      expect([started, runs()]).toEqual([['first'], []]);
      hanging.resolve();
      await finished(2);
      for (const kind of ['manual', 'sample'] as const) await world.trigger('dc_a', { kind });
      await finished(4);
      expect(started).toEqual(['first', 'then', 'then', 'then']);
      expect(events().map(({ event }) => event)).toEqual([100, 100, 100]);
      expect(world.db('dc_a')).toEqual({ last: 100 });
    },
  );
});

test('a trigger read back during an update runs on the revision that was deployed when it was sent', async () => {
  const [hanging, reading] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const started: string[] = [];
  class Watched extends FakeSandbox {
    override invoke(invocation: Invocation): Promise<InvocationOutcome> {
      started.push(`${invocation.what} ${invocation.revision}`);
      return super.invoke(invocation);
    }
  }
  const read = world.log.read.bind(world.log);
  let readBacks = 0;
  world.log.read = async (topic, partition, from, bounds) => {
    if (topic === 'triggers' && bounds.recordsMax === 1 && ++readBacks === 2) await reading.promise;
    return read(topic, partition, from, bounds);
  };
  const component = { run: () => {}, sample: () => hanging.promise };
  await world.deploy('dc_a', component);
  const sandbox = new Watched(world.components, world.ambient.now);
  await begin({ sandbox, limits: { retainedBytesMax: 0 } });
  await world.trigger('dc_a', { kind: 'sample' });
  await until(() => started.length === 1);
  await world.trigger('dc_a');
  await until(() => readBacks === 2);
  await world.deploy('dc_a', { ...component, revision: 2 });
  await turns();
  reading.resolve();
  await until(() => started.length === 2);
  hanging.resolve();
  await finished(2);
  expect(started).toEqual(['sample 1', 'run 1']);
});
