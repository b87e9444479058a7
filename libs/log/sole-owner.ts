// Ownership in a process that uses the log alone: it owns every partition from the start, forever.
import { flow, type StageName } from '../domain/flow.ts';
import type { PortError } from '../domain/port-error.ts';
import { Ownership, type Membership, type OwnershipListener } from './ownership.ts';

export class SoleOwner extends Ownership {
  readonly #partitions: number;

  /** `partitions`: the number of partitions of every partitioned topic. */
  constructor(partitions: number) {
    super();
    this.#partitions = partitions;
  }

  async follow(stage: StageName, onChange: OwnershipListener): Promise<Membership> {
    const count = flow[stage].owns === 'one' ? 1 : this.#partitions;
    await onChange(Array.from({ length: count }, (_, partition) => partition));
    return {
      reportLoss: (error: PortError) => Promise.reject(error),
      leave: () => Promise.resolve(),
    };
  }
}
