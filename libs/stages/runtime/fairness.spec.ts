// How long sources that sleep, never settle or hang in their hooks delay others.
import type { EmittedEvent } from '../../domain/channel/messages.ts';
import type { HookEvent } from '../../domain/source/messages.ts';
import { until } from './testing/life.fake.ts';
import type { World } from './testing/world.fake.ts';
import { worldForEachTest } from './testing/worlds.fake.ts';

/** The product's limits, except how long a run keeps its place. */
const limits = { quickMs: 10 };

let world: World;
const { begin } = worldForEachTest((made) => (world = made), { limits });

let started = 0;
beforeEach(() => {
  started = 0;
});
const never = (): Promise<void> => {
  started++;
  return new Promise(() => {});
};
const events = (): number => world.data<EmittedEvent['data']>('channels').length;

async function deployMany(count: number, name: string): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, (_, n) => `dc_${name}${n}`);
  for (const id of ids) await world.deploy(id, { run: never, hooks: { deploy: never } });
  return ids;
}

test.each([70, 200])(
  'next to %d sources that never settle, a new source still runs, and a known one runs at once',
  async (count) => {
    const hanging = await deployMany(count, 'hangs');
    for (const id of ['dc_known', 'dc_new']) await world.deploy(id, { run: ({ emit }) => emit({ event: 1 }) });
    await begin();
    await world.post('dc_known', 0);
    await until(() => events() === 1, 'the first event');
    for (const id of hanging) await world.post(id, 0);
    await world.post('dc_known', 1);
    await until(() => events() === 2, 'the event of the known source');
    expect(started).toBeLessThan(count);
    await world.post('dc_new', 1);
    await until(() => events() === 3, 'the event of the new source');
    expect(started).toBe(count);
  },
);

test('16 deploy hooks that hang do not delay the deploy of another source', async () => {
  const hanging = await deployMany(16, 'hangs');
  await world.deploy('dc_next', { hooks: { deploy: () => {} } });
  await begin();
  for (const id of hanging) await world.trigger(id, { kind: 'deploy' });
  await world.trigger('dc_next', { kind: 'deploy' });
  await until(() => world.log.records('hooks').length === 1, 'the hook');
  expect(world.data<HookEvent['data']>('hooks')[0]?.sourceId).toBe('dc_next');
});
