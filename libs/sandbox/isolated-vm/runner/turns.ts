// The turns of one isolate: taken one after another, the first is under way; which of them has been so for too long.

export interface Turn {
  /** The invocation that it was taken for; 0: loading. */
  readonly owner: number;
  readonly limitMs: number;
}

/** Past its time limit a turn settles at once, or some built-in cannot be interrupted; on a busy machine it may be late. */
const overdueMs = 2_000;

export class Turns {
  readonly #open = new Set<Turn>();
  /** How long the isolate has stood in line for others, in all: that is no turn's own time. */
  readonly #queuedMs: () => number;
  #from = 0;
  #queuedBefore = 0;

  constructor(queuedMs: () => number) {
    this.#queuedMs = queuedMs;
  }

  get isNone(): boolean {
    return this.#open.size === 0;
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

  /** The turn that is under way, when it outlasts its limit. */
  overdue(): Turn | undefined {
    const [turn] = this.#open;
    if (turn === undefined) return undefined;
    const ownMs = performance.now() - this.#from - (this.#queuedMs() - this.#queuedBefore);
    return ownMs < turn.limitMs + overdueMs ? undefined : turn;
  }

  #restart(): void {
    this.#from = performance.now();
    this.#queuedBefore = this.#queuedMs();
  }
}
