// Paces starts towards slow receivers, whose answers come in bursts: lanes take turns, within a fixed share of time.
import { FairQueue } from '../../../primitives/sharing/fair-queue.ts';

/** Starts in one step: a millisecond or two of signing and connecting. */
const startsPerStep = 2;
/** The pause after a step is this many times as long as the step: three quarters of the time are for other work. */
const pauseFactor = 3;

export class PacedStarts<L extends { readonly workspace: string }> {
  readonly #lanes = new FairQueue<L>(({ workspace }) => workspace);
  readonly #start: (lane: L) => boolean;
  #timer: NodeJS.Timeout | undefined;

  /** `start` begins one attempt, and returns whether the lane might be able to begin another. */
  constructor(start: (lane: L) => boolean) {
    this.#start = start;
  }

  add(lane: L): void {
    this.#lanes.add(lane);
    this.#timer ??= setTimeout(() => this.#step(), 0);
  }

  delete(lane: L): void {
    this.#lanes.delete(lane);
  }

  close(): void {
    this.#lanes.clear();
    clearTimeout(this.#timer);
  }

  #step(): void {
    const startedAt = performance.now();
    let remaining = startsPerStep;
    this.#lanes.takeTurns(
      () => remaining-- > 0,
      (lane) => this.#start(lane),
    );
    const pauseMs = (performance.now() - startedAt) * pauseFactor;
    this.#timer = this.#lanes.size === 0 ? undefined : setTimeout(() => this.#step(), pauseMs);
  }
}
