// What specs of this stage set up and take down: a world for each test, the lives it leads there, and what came of them.
import type { EmittedEvent, RunEvent } from '../../../domain/channel/messages.ts';
import { Life, until } from './life.fake.ts';
import type { LifeOptions } from './life.fake.ts';
import { World } from './world.fake.ts';

export interface Lives {
  /** The test goes on in another world. */
  readonly enter: (other: World) => void;
  /** Begins the next one in the test's world. */
  readonly begin: (options?: LifeOptions) => Promise<Life>;
  /** The one that was begun last. */
  readonly life: () => Life | undefined;
  readonly events: () => readonly EmittedEvent['data'][];
  readonly runs: () => readonly RunEvent['data'][];
  /** Resolves when so many runs have ended. */
  readonly finished: (count: number) => Promise<void>;
}

/**
 * To be called at the top of a spec: gives each test a world with a data key, and fails the test in which the stage fails.
 * `always`: what every life has, unless it is begun with something else.
 */
export function worldForEachTest(take: (world: World) => void, always: LifeOptions = {}): Lives {
  let world: World;
  let life: Life | undefined;
  const enter = (other: World): void => {
    world = other;
    take(other);
  };
  beforeEach(async () => {
    enter(new World());
    life = undefined;
    await world.addKey();
  });
  afterEach(async () => {
    await life?.stop(0);
    if (life?.failure !== undefined) throw life.failure;
  });
  const runs = (): readonly RunEvent['data'][] => world.data('runs');
  return {
    enter,
    begin: async (options = {}) => {
      life = await Life.begin(world, { ...always, ...options, limits: { ...always.limits, ...options.limits } });
      return life;
    },
    life: () => life,
    events: () => world.data('channels'),
    runs,
    finished: (count) => until(() => runs().length === count, `${count} runs`),
  };
}
