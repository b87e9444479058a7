// A fake of partition ownership shared by several processes: the test assigns the partitions.
import type { StageName } from '../domain/flow.ts';
import type { PortError } from '../domain/port-error.ts';
import { Ownership, type Membership, type OwnedChanged } from './ownership.ts';

/** The ownership of one of several processes, which owns nothing until the test assigns it partitions. */
export class SharedOwnership extends Ownership {
  /** The errors that `lost` was called with. */
  readonly lost: PortError[] = [];
  left = false;
  /** The partitions assigned after a loss; by default the same as before. */
  assignedAfterLoss: readonly number[] | undefined;
  #assigned: readonly number[] = [];
  readonly #changed = new Map<StageName, OwnedChanged>();
  #calls: Promise<void> = Promise.resolve();

  async follow(stage: StageName, changed: OwnedChanged): Promise<Membership> {
    this.#changed.set(stage, changed);
    return {
      lost: async (error: PortError) => {
        this.lost.push(error);
        await this.#assign(stage, []);
        await this.#assign(stage, this.assignedAfterLoss ?? this.#assigned);
      },
      leave: async () => {
        this.left = true;
        this.#changed.delete(stage);
      },
    };
  }

  /** Resolves once the partitions no longer owned can be given to another process. */
  assign(stage: StageName, owned: readonly number[]): Promise<void> {
    this.#assigned = owned;
    return this.#assign(stage, owned);
  }

  #assign(stage: StageName, owned: readonly number[]): Promise<void> {
    this.#calls = this.#calls.then(() => this.#changed.get(stage)?.(owned));
    return this.#calls;
  }
}
