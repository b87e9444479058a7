// Which partitions of a stage this process owns: all of them when it is alone, those that its group assigns it otherwise.
import type { StageName } from '../domain/flow.ts';
import type { PortError } from '../domain/port-error.ts';

/**
 * Called with all partitions that are owned from now on, each time that they change; calls come one at a time. Until it
 * resolves, those that are left out are not handed on: best effort and bounded, since safety is the fence of `Log.own`.
 */
export type OwnedChanged = (owned: readonly number[]) => Promise<void>;

/** A stage's part in sharing its partitions. */
export interface Membership {
  /**
   * A partition that is owned here was taken over by another: gives all partitions back and asks to be assigned anew,
   * which comes as calls of `changed`. Rejects with `error` where no other owner is to be expected.
   */
  lost(error: PortError): Promise<void>;
  /** Hands everything on without calling `changed`: what runs was stopped before. Nothing is assigned afterwards. */
  leave(): Promise<void>;
}

export abstract class Ownership {
  /**
   * Takes part in sharing the stage's partitions: one for a stage that owns `one`, `log.partitions` of them otherwise.
   * Resolves once it takes part; trouble that may pass is then retried for ever. Rejects with what trying again cannot help.
   */
  abstract follow(stage: StageName, changed: OwnedChanged): Promise<Membership>;
}
