// Splits long work into short pieces, so that the event loop can turn between them.
import { setTimeout as delay } from 'node:timers/promises';
import { Fifo } from '../collections/fifo.ts';

/**
 * Length of one piece: a request takes about six turns of the loop and can wait for a piece in each. A turn itself
 * costs some microseconds.
 */
const pieceMsMax = 1;
/**
 * The pause between two pieces of work that no caller waits for: other threads and processes need the processor too.
 */
const pauseMs = 2;

/** All work of this thread that waits to continue. Each turn of the event loop resumes one, in the order of waiting. */
const waiting = new Fifo<() => void>();

function resumeNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
}

export class Turn {
  #startedAt = performance.now();

  /** Whether the piece has taken its time; check after each item of work. */
  get isOver(): boolean {
    return performance.now() - this.#startedAt >= pieceMsMax;
  }

  /**
   * Resolves when everything else that was due has run, in a turn of the loop in which no other long work continues.
   */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(resumeNext);
    });
    this.#startedAt = performance.now();
  }

  /** As `next`, after a pause, for work that no caller waits for. */
  async pauseThenNext(): Promise<void> {
    await delay(pauseMs);
    await this.next();
  }
}

/**
 * Resolves when the event loop has handled the input that has arrived: the first `setImmediate` still runs before that.
 */
export const afterInput = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });

/** As `items.map(map)`, in pieces: a few large items do not delay everything else. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, at: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  const turn = new Turn();
  for (const item of items) {
    if (turn.isOver) await turn.next();
    results.push(map(item, results.length));
  }
  return results;
}
