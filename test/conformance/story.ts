// What a story of a component is: its key, where its package has it, and what happens to it in the world that stories share.
import type { World } from './world.ts';

export interface Story {
  /** As the registry of components names it. */
  readonly key: string;
  /** Deploys it, lets what is around it act, and expects what must be seen. */
  play(world: World): Promise<void>;
}
