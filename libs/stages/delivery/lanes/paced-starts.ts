// Paces starts towards slow receivers, whose answers come in bursts: lanes take turns, within a fixed share of time.
import { TurnsOfOwners } from '../../../primitives/sharing/turns-of-owners.ts';

/** Starts in one step: a millisecond or two of signing and connecting. */
const startsPerStep = 2;
/** The pause after a step is this many times as long as the step: three quarters of the time are for other work. */
const restTimes = 3;

export class PacedStarts<L extends { readonly workspace: string }> {
  readonly #lanes = new TurnsOfOwners<L>(({ workspace }) => workspace);
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
    let left = startsPerStep;
    this.#lanes.go(
      () => left-- > 0,
      (lane) => this.#start(lane),
    );
    const restMs = (performance.now() - startedAt) * restTimes;
    this.#timer = this.#lanes.size === 0 ? undefined : setTimeout(() => this.#step(), restMs);
  }
}
