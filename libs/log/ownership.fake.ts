// A fake of partition ownership shared by several processes: the test assigns the partitions.
import type { StageName } from '../domain/flow.ts';
import type { PortError } from '../domain/port-error.ts';
import { Ownership, type Membership, type OwnershipListener } from './ownership.ts';

/** The ownership of one of several processes, which owns nothing until the test assigns it partitions. */
export class SharedOwnership extends Ownership {
  /** The errors that `reportLoss` was called with. */
  readonly losses: PortError[] = [];
  hasLeft = false;
  /** The partitions assigned after a loss; by default the same as before. */
  assignedAfterLoss: readonly number[] | undefined;
  #assigned: readonly number[] = [];
  readonly #listeners = new Map<StageName, OwnershipListener>();
  #calls: Promise<void> = Promise.resolve();

  async follow(stage: StageName, onChange: OwnershipListener): Promise<Membership> {
    this.#listeners.set(stage, onChange);
    return {
      reportLoss: async (error: PortError) => {
        this.losses.push(error);
        await this.#assign(stage, []);
        await this.#assign(stage, this.assignedAfterLoss ?? this.#assigned);
      },
      leave: async () => {
        this.hasLeft = true;
        this.#listeners.delete(stage);
      },
    };
  }

  /** Resolves once the partitions no longer owned can be given to another process. */
  assign(stage: StageName, owned: readonly number[]): Promise<void> {
    this.#assigned = owned;
    return this.#assign(stage, owned);
  }

  #assign(stage: StageName, owned: readonly number[]): Promise<void> {
    this.#calls = this.#calls.then(() => this.#listeners.get(stage)?.(owned));
    return this.#calls;
  }
}
