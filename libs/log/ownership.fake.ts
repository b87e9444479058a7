// Several processes that share a stage's partitions, for tests: who owns what is as the test says.
import type { StageName } from '../domain/flow.ts';
import type { PortError } from '../domain/port-error.ts';
import { Ownership, type Membership, type OwnedChanged } from './ownership.ts';

/** One process of several. Owns nothing until it is told. */
export class SharedOwnership extends Ownership {
  /** What it said to have lost. */
  readonly lost: PortError[] = [];
  left = false;
  /** Assigned anew after a loss; by default what was assigned before. */
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

  /** Resolves when what is no longer owned may be handed on. */
  assign(stage: StageName, owned: readonly number[]): Promise<void> {
    this.#assigned = owned;
    return this.#assign(stage, owned);
  }

  #assign(stage: StageName, owned: readonly number[]): Promise<void> {
    this.#calls = this.#calls.then(() => this.#changed.get(stage)?.(owned));
    return this.#calls;
  }
}
