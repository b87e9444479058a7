// The turns of one isolate: taken one after another, the first is under way; tells when a turn lasts for too long.
import { patience } from '../sandbox-limits.ts';
import { processorMs } from './processor-time.ts';

export interface Turn {
  /** The invocation that it was taken for; 0: loading. */
  readonly owner: number;
  readonly limitMs: number;
}

export class IsolateTurns {
  readonly #open = new Set<Turn>();
  /** How long the isolate has waited in line for others, in total: no turn is charged for that. */
  readonly #queuedMs: () => number;
  readonly #processMs: () => number;
  #from = 0;
  #queuedBefore = 0;
  #processBefore = 0;

  /** `processMs`: all processor time of this process so far. */
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
   * The turn under way, if it outlasts its limit. It does not while the whole process has had less processor time than
   * that: others had the processor, and the clock alone says nothing of what a component does.
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
