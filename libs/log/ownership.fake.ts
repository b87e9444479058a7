// Several processes that share a stage's partitions, for tests: the test says who owns what.
import type { StageName } from '../domain/flow.ts';
import type { PortError } from '../domain/port-error.ts';
import { Ownership, type Membership, type OwnedChanged } from './ownership.ts';

/** One of several processes. Owns nothing until the test assigns it partitions. */
export class SharedOwnership extends Ownership {
  /** The errors that `lost` was called with. */
  readonly lost: PortError[] = [];
  left = false;
  /** The partitions assigned after a loss; by default those from before. */
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

  /** Resolves when the partitions no longer owned may be handed on. */
  assign(stage: StageName, owned: readonly number[]): Promise<void> {
    this.#assigned = owned;
    return this.#assign(stage, owned);
  }

  #assign(stage: StageName, owned: readonly number[]): Promise<void> {
    this.#calls = this.#calls.then(() => this.#changed.get(stage)?.(owned));
    return this.#calls;
  }
}
