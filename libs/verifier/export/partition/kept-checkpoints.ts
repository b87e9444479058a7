// Compares history with the checkpoints of one partition that were kept outside: it must still have their roots.
import type { Checkpoint } from '../../checkpoint.ts';
import type { Edge } from '../../tree/edge.ts';

export interface KeptCheckpoint {
  readonly checkpoint: Checkpoint;
  isCompared: boolean;
}

export class KeptCheckpoints {
  /** Checkpoints that are not compared yet, the smallest count first. */
  readonly #pending: KeptCheckpoint[];
  readonly #onConflict: (checkpoint: Checkpoint) => void;
  #nextCount: number;

  constructor(kept: readonly KeptCheckpoint[], onConflict: (checkpoint: Checkpoint) => void) {
    this.#pending = kept.toSorted((one, other) => one.checkpoint.count - other.checkpoint.count);
    this.#onConflict = onConflict;
    this.#nextCount = this.#pending[0]?.checkpoint.count ?? Infinity;
  }

  /** Call after each record: does nothing at a count for which no checkpoint was kept. */
  compare(edge: Edge): void {
    if (edge.count < this.#nextCount) return;
    this.#compareNow(edge);
  }

  #compareNow(edge: Edge): void {
    const root = edge.root().toString('hex');
    while (this.#nextCount <= edge.count) {
      const kept = this.#pending.shift();
      if (kept?.checkpoint.count === edge.count) {
        kept.isCompared = true;
        if (kept.checkpoint.root !== root) this.#onConflict(kept.checkpoint);
      }
      this.#nextCount = this.#pending[0]?.checkpoint.count ?? Infinity;
    }
  }
}
