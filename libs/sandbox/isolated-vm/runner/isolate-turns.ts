// Keeps the turns of one isolate, which are sequential (the first is under way), and detects one that takes too long.
import { patience } from '../sandbox-limits.ts';
import { processorMs } from './processor-time.ts';

export interface Turn {
  /** The invocation that the turn belongs to; 0: loading. */
  readonly owner: number;
  readonly limitMs: number;
}

export class IsolateTurns {
  readonly #open = new Set<Turn>();
  /** The isolate's total wait for other isolates, which is not charged to its turns. */
  readonly #queuedMs: () => number;
  readonly #processMs: () => number;
  #from = 0;
  #queuedBefore = 0;
  #processBefore = 0;

  /** `processMs`: the total processor time of this process. */
  constructor(queuedMs: () => number, processMs = processorMs) {
    this.#queuedMs = queuedMs;
    this.#processMs = processMs;
  }

  get isNone(): boolean {
    return this.#open.size === 0;
  }

  /** The owner of the turn under way. */
  get owner(): number | undefined {
    const [turn] = this.#open;
    return turn?.owner;
  }

  begin(owner: number, limitMs: number): Turn {
    const turn = { owner, limitMs };
    if (this.isNone) this.#restart();
    this.#open.add(turn);
    return turn;
  }

  end(turn: Turn): void {
    this.#open.delete(turn);
    this.#restart();
  }

  /**
   * The turn under way, if it exceeds its limit. A turn during which the whole process had less processor time than the
   * limit does not, up to `patience` times the limit, because other processes might have delayed it.
   */
  overdue(): Turn | undefined {
    const [turn] = this.#open;
    if (turn === undefined) return undefined;
    const ownMs = performance.now() - this.#from - (this.#queuedMs() - this.#queuedBefore);
    const processMs = this.#processMs() - this.#processBefore;
    return Math.min(ownMs, processMs) > turn.limitMs || ownMs > turn.limitMs * patience ? turn : undefined;
  }

  #restart(): void {
    this.#from = performance.now();
    this.#queuedBefore = this.#queuedMs();
    this.#processBefore = this.#processMs();
  }
}
