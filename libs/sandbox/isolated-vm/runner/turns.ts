// The turns of one isolate: taken one after another, the first is under way; which of them has been so for too long.
import { processorMs } from './processor-time.ts';

export interface Turn {
  /** The invocation that it was taken for; 0: loading. */
  readonly owner: number;
  readonly limitMs: number;
}

/** A turn of a process that hardly gets a processor takes as many times as long by the clock; nobody waits for longer. */
export const patience = 5;

export class Turns {
  readonly #open = new Set<Turn>();
  /** How long the isolate has stood in line for others, in all: that is no turn's own time. */
  readonly #queuedMs: () => number;
  readonly #processMs: () => number;
  #from = 0;
  #queuedBefore = 0;
  #processBefore = 0;

  /** `processMs`: processor time of this process, in all. */
  constructor(queuedMs: () => number, processMs = processorMs) {
    this.#queuedMs = queuedMs;
    this.#processMs = processMs;
  }

  get isNone(): boolean {
    return this.#open.size === 0;
  }

  /** Whom the turn is for that is under way. */
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
   * The turn that is under way, when it outlasts its limit. It has not while the whole process has had less than that of
   * the processor: others had it, and the clock alone says nothing of what a component does.
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
