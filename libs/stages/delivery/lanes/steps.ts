// Starts attempts in steps, one in each turn of the event loop, so that a burst does not delay other work.
import type { AttemptKind } from './reputation.ts';

/** The most attempts in one step, because each costs signing and connecting. */
const startsPerStep = 16;
/**
 * Time for the starts of one step; the next begins in the next turn. An event takes some four turns: the
 * answer of the log, the start of its attempt, and the receiver's answer come in one each.
 */
const stepMsMax = 1;
/**
 * Replays in one step while live events arrive: their answers arrive together, too, so that a turn takes half a
 * millisecond. More turns cost a replay a twentieth of its speed.
 */
const replaysPerStep = 3;
/** Live events count as arriving if one was sent within this time: at one a second, small delays do not matter. */
const liveMs = 1_000;

export class Steps {
  readonly #step: () => void;
  #next: NodeJS.Immediate | undefined;
  #starts = 0;
  #replays = 0;
  #spentMs = 0;
  #liveAt = -Infinity;

  /** `step` is called at the beginning of each step. */
  constructor(step: () => void) {
    this.#step = step;
  }

  /** Whether further attempts wait for the next step. */
  get isFull(): boolean {
    return this.#starts >= startsPerStep || this.#spentMs >= stepMsMax;
  }

  /** Whether further replays wait for the next step. */
  get isFullForReplays(): boolean {
    return this.isFull || (this.#replays >= replaysPerStep && performance.now() - this.#liveAt < liveMs);
  }

  /** Counts an attempt that has started in this step, and took `ms`. */
  recordStart(ms: number, kind: AttemptKind): void {
    this.#starts++;
    if (kind === 'replay') this.#replays++;
    else this.#liveAt = performance.now();
    this.#spentMs += ms;
    this.schedule();
  }

  /** Makes sure that a step begins in the next turn. */
  schedule(): void {
    this.#next ??= setImmediate(() => {
      this.#next = undefined;
      this.#starts = 0;
      this.#replays = 0;
      this.#spentMs = 0;
      this.#step();
    });
  }

  close(): void {
    if (this.#next !== undefined) clearImmediate(this.#next);
  }
}
