// Ownership in a process that has the log to itself: every partition at once, forever.
import { flow, type StageName } from '../domain/flow.ts';
import type { PortError } from '../domain/port-error.ts';
import { Ownership, type Membership, type OwnedChanged } from './ownership.ts';

export class SoleOwner extends Ownership {
  readonly #partitions: number;

  /** `partitions`: the common count of partitioned topics. */
  constructor(partitions: number) {
    super();
    this.#partitions = partitions;
  }

  async follow(stage: StageName, changed: OwnedChanged): Promise<Membership> {
    const count = flow[stage].owns === 'one' ? 1 : this.#partitions;
    await changed(Array.from({ length: count }, (_, partition) => partition));
    return {
      lost: (error: PortError) => Promise.reject(error),
      leave: () => Promise.resolve(),
    };
  }
}
