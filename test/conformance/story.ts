// The type of a component's story: its key, its path in its package, and what happens to it in the shared world.
import type { World } from './world.ts';

export interface Story {
  /** The component's key in the registry. */
  readonly key: string;
  /** Deploys it, lets its surroundings act, and checks the results. */
  play(world: World): Promise<void>;
}
