// The partitions of a stage that this process owns: all if it runs alone, otherwise those that its group assigns to it.
import type { StageName } from '../domain/flow.ts';
import type { PortError } from '../domain/port-error.ts';

/**
 * Called with all partitions owned from now on, each time they change; calls come one at a time. A partition that has
 * left the list is not given to another process until the call resolves. This is best effort and bounded: safety comes
 * from fencing in `Log.own`.
 */
export type OwnershipListener = (owned: readonly number[]) => Promise<void>;

/** A stage's membership among the processes that share its partitions. */
export interface Membership {
  /**
   * Call when another process has taken over a partition owned here: returns all partitions and asks for a new
   * assignment, which arrives through `onChange`. Rejects with `error` where no other owner is possible.
   */
  reportLoss(error: PortError): Promise<void>;
  /** Gives up all partitions without calling `onChange`: the caller has stopped its work. None is assigned later. */
  leave(): Promise<void>;
}

export abstract class Ownership {
  /**
   * Joins the processes that share the stage's partitions: one if it owns `one`, otherwise `log.partitions` of them.
   * Resolves once joined; later temporary failures are retried forever. Rejects with errors that a retry cannot fix.
   */
  abstract follow(stage: StageName, onChange: OwnershipListener): Promise<Membership>;
}
