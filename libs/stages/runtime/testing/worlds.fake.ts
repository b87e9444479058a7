// Sets up and tears down a world for each test of this stage, the lives in it, and their results.
import type { EmittedEvent, RunEvent } from '../../../domain/channel/messages.ts';
import { Life, until } from './life.fake.ts';
import type { LifeOptions } from './life.fake.ts';
import { World } from './world.fake.ts';

export interface Lives {
  /** Makes the test continue in this other world. */
  readonly enter: (other: World) => void;
  /** Begins a new life in the test's world. */
  readonly begin: (options?: LifeOptions) => Promise<Life>;
  /** The life that was begun last. */
  readonly life: () => Life | undefined;
  readonly events: () => readonly EmittedEvent['data'][];
  readonly runs: () => readonly RunEvent['data'][];
  /** Resolves when this many runs have ended. */
  readonly finished: (count: number) => Promise<void>;
}

/**
 * Call it at the top of a spec: each test gets a world with a data key, and fails if the stage fails in it. `defaults`:
 * the options of every life that is begun without its own.
 */
export function worldForEachTest(onWorld: (world: World) => void, defaults: LifeOptions = {}): Lives {
  let world: World;
  let life: Life | undefined;
  const enter = (other: World): void => {
    world = other;
    onWorld(other);
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
      life = await Life.begin(world, { ...defaults, ...options, limits: { ...defaults.limits, ...options.limits } });
      return life;
    },
    life: () => life,
    events: () => world.data('channels'),
    runs,
    finished: (count) => until(() => runs().length === count, `${count} runs`),
  };
}
