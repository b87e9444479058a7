// Keeps the turns of one isolate, which are sequential (the first is under way), and detects one that takes too long.
import { wallTimeFactor } from '../sandbox-limits.ts';
import { processorMs } from './processor-time.ts';

export interface Turn {
  /** The invocation that the turn belongs to; 0: loading. */
  readonly owner: number;
  readonly limitMs: number;
}

export class IsolateTurns {
  readonly #turns = new Set<Turn>();
  /** The isolate's total wait for other isolates, which is not charged to its turns. */
  readonly #queuedMs: () => number;
  readonly #processMs: () => number;
  #startedAt = 0;
  #queuedBefore = 0;
  #processBefore = 0;

  /** `processMs`: the total processor time of this process. */
  constructor(queuedMs: () => number, processMs = processorMs) {
    this.#queuedMs = queuedMs;
    this.#processMs = processMs;
  }

  get isEmpty(): boolean {
    return this.#turns.size === 0;
  }

  /** The owner of the turn under way. */
  get owner(): number | undefined {
    const [turn] = this.#turns;
    return turn?.owner;
  }

  begin(owner: number, limitMs: number): Turn {
    const turn = { owner, limitMs };
    if (this.isEmpty) this.#restartClock();
    this.#turns.add(turn);
    return turn;
  }

  end(turn: Turn): void {
    this.#turns.delete(turn);
    this.#restartClock();
  }

  /**
   * The turn under way, if it exceeds its limit. A turn during which the whole process had less processor time than the
   * limit does not, up to `wallTimeFactor` times the limit, because other processes might have delayed it.
   */
  overdueTurn(): Turn | undefined {
    const [turn] = this.#turns;
    if (turn === undefined) return undefined;
    const elapsedMs = performance.now() - this.#startedAt - (this.#queuedMs() - this.#queuedBefore);
    const processMs = this.#processMs() - this.#processBefore;
    return Math.min(elapsedMs, processMs) > turn.limitMs || elapsedMs > turn.limitMs * wallTimeFactor
      ? turn
      : undefined;
  }

  #restartClock(): void {
    this.#startedAt = performance.now();
    this.#queuedBefore = this.#queuedMs();
    this.#processBefore = this.#processMs();
  }
}
