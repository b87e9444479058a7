// Runs the projection's two lanes: callers wait for the few records of the control plane, never for those of the flow.
import { flow, topics } from '../../../domain/flow.ts';
import type { NewerRecordError } from '../../loop/reading/unusable.ts';
import { Lane, type LaneParts, type Route } from './lane.ts';

const { reads } = flow.projection;
const controlPlaneTopics = reads.filter((topic) => topics[topic].writer === 'lifecycle');
const otherTopics = reads.filter((topic) => topics[topic].writer !== 'lifecycle');

export interface LanesOptions extends LaneParts {
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number;
}

/** One partition of one topic feeds a document, so the lanes never write the same one. */
export class Lanes {
  readonly #parts: LanesOptions;
  readonly #lanes: readonly Lane[];
  /** When each lane last moved, by `elapsedMs`. */
  readonly #progressAt: number[];

  /** `onProgress` is called when the lane that had been idle for longest has moved. */
  constructor(parts: LanesOptions) {
    this.#parts = parts;
    this.#lanes = [controlPlaneTopics, otherTopics].map(
      (laneTopics, lane) => new Lane(laneTopics, { ...parts, onProgress: () => this.#noteLaneProgress(lane) }),
    );
    this.#progressAt = this.#lanes.map(parts.elapsedMs);
  }

  get newer(): NewerRecordError | undefined {
    return this.#lanes.find(({ newer }) => newer !== undefined)?.newer;
  }

  /** How long the lane that has been idle for longest has not moved. */
  get idleMs(): number {
    return this.#parts.elapsedMs() - Math.min(...this.#progressAt);
  }

  noteProgress(): void {
    this.#progressAt.fill(this.#parts.elapsedMs());
  }

  /** Runs until all lanes have ended: when one ends or fails, the others end, too. Throws the first failure. */
  async follow(route: Route): Promise<void> {
    let hasEnded = false;
    const shouldContinue = (): boolean => !hasEnded && route.shouldContinue();
    const following = this.#lanes.map(async (lane) => {
      try {
        await lane.follow({ ...route, shouldContinue });
      } finally {
        hasEnded = true;
        await this.close();
      }
    });
    const failure = (await Promise.allSettled(following)).find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
  }

  /** Ends their waits for records, so that `follow` checks whether to continue. */
  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  /** Runs `work` while no lane has a batch in flight. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const inner = this.#lanes.reduce((run, lane) => () => lane.exclusive(run), work);
    return inner();
  }

  #noteLaneProgress(lane: number): void {
    const wasSlowest = this.#progressAt[lane] === Math.min(...this.#progressAt);
    this.#progressAt[lane] = this.#parts.elapsedMs();
    if (wasSlowest) this.#parts.onProgress();
  }
}
