// Compares history with the checkpoints of one partition that were kept outside: it must still have their roots.
import type { Checkpoint } from '../../checkpoint.ts';
import type { Edge } from '../../tree/edge.ts';

export interface Kept {
  readonly checkpoint: Checkpoint;
  isCompared: boolean;
}

export class KeptCheckpoints {
  /** Checkpoints that are not compared yet, the smallest count first. */
  readonly #waiting: Kept[];
  readonly #onConflict: (checkpoint: Checkpoint) => void;
  #next: number;

  constructor(kept: readonly Kept[], onConflict: (checkpoint: Checkpoint) => void) {
    this.#waiting = kept.toSorted((one, other) => one.checkpoint.count - other.checkpoint.count);
    this.#onConflict = onConflict;
    this.#next = this.#waiting[0]?.checkpoint.count ?? Infinity;
  }

  /** Call after each record: does nothing at a count for which no checkpoint was kept. */
  compare(edge: Edge): void {
    if (edge.count < this.#next) return;
    this.#compareNow(edge);
  }

  #compareNow(edge: Edge): void {
    const root = edge.root().toString('hex');
    while (this.#next <= edge.count) {
      const kept = this.#waiting.shift();
      if (kept?.checkpoint.count === edge.count) {
        kept.isCompared = true;
        if (kept.checkpoint.root !== root) this.#onConflict(kept.checkpoint);
      }
      this.#next = this.#waiting[0]?.checkpoint.count ?? Infinity;
    }
  }
}
