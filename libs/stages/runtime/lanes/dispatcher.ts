// Which trigger runs when: one at a time in each lane of a source, sources side by side, all within the process's slots.
import type { LaneName } from '../source/source-state.ts';
import { Fifo } from './fifo.ts';
import type { QueuedTrigger } from './queued-trigger.ts';
import type { Slots } from './slots.ts';

/** One for all partitions of a process. */
export interface SharedSlots {
  readonly runs: Slots;
  readonly hooks: Slots;
}

export interface DispatcherOptions {
  readonly slots: SharedSlots;
  /** False: what it needs has not been read yet; `wake` when it may have. */
  readonly runnable: (trigger: QueuedTrigger) => boolean;
  /** False: no run starts now; `wakeStarved` when one may. */
  readonly mayStart: () => boolean;
  /** How long a trigger that did not happen waits, and its lane with it, until it is tried again. */
  readonly repeatDelayMs: (trigger: QueuedTrigger) => number;
  /** Resolves to false when the trigger must be repeated; what it rejects with ends the task. */
  readonly execute: (trigger: QueuedTrigger) => Promise<boolean>;
  /** It left its lane. */
  readonly left: (trigger: QueuedTrigger) => void;
  readonly fail: (error: Error) => void;
}

interface Lane {
  readonly queue: Fifo<QueuedTrigger>;
  /** From asking for a slot to the end of the run, and until a repeat may begin. */
  busy: boolean;
}

export type Lanes = Record<LaneName, Lane>;

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #sources = new Map<string, Lanes>();
  readonly #held = new Set<Lane>();
  readonly #starved = new Set<Lane>();
  #idle: (() => void) | undefined;
  #running = 0;
  #stopped = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Sources of which something waits or runs: of the others nothing is kept. */
  get sources(): number {
    return this.#sources.size;
  }

  /** How many wait or run in a source's lane. */
  length(sourceId: string, lane: LaneName): number {
    return this.#sources.get(sourceId)?.[lane].queue.length ?? 0;
  }

  add(trigger: QueuedTrigger): void {
    const lane = this.#lanes(trigger.sourceId)[trigger.lane];
    lane.queue.push(trigger);
    this.#advance(lane);
  }

  /** Looks again at the lanes whose first trigger was not runnable. */
  wake(): void {
    const held = [...this.#held];
    this.#held.clear();
    for (const lane of held) this.#advance(lane);
  }

  wakeStarved(): void {
    const starved = [...this.#starved];
    this.#starved.clear();
    for (const lane of starved) this.#advance(lane);
  }

  /** Starts nothing from now on. */
  stop(): void {
    this.#stopped = true;
  }

  /** Resolves once nothing runs. */
  async idle(): Promise<void> {
    if (this.#running === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    await promise;
  }

  #lanes(sourceId: string): Lanes {
    const known = this.#sources.get(sourceId);
    if (known !== undefined) return known;
    const lanes = {
      hooks: { queue: new Fifo<QueuedTrigger>(), busy: false },
      runs: { queue: new Fifo<QueuedTrigger>(), busy: false },
    };
    this.#sources.set(sourceId, lanes);
    return lanes;
  }

  #advance(lane: Lane): void {
    const trigger = lane.queue.peek();
    if (this.#stopped || lane.busy || trigger === undefined) return;
    if (!this.#options.runnable(trigger)) this.#held.add(lane);
    else if (!this.#options.mayStart()) this.#starved.add(lane);
    else {
      lane.busy = true;
      const slots = this.#options.slots[trigger.lane];
      slots.take(trigger.workspace, () => this.#begin(lane, trigger, slots));
    }
  }

  #begin(lane: Lane, trigger: QueuedTrigger, slots: Slots): void {
    if (this.#stopped) {
      slots.release(trigger.workspace);
      return;
    }
    this.#running++;
    this.#options.execute(trigger).then(
      (finished) => this.#ended(lane, trigger, { finished, slots }),
      (error: unknown) => {
        slots.release(trigger.workspace);
        this.#options.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  #ended(lane: Lane, trigger: QueuedTrigger, { finished, slots }: { finished: boolean; slots: Slots }): void {
    this.#running--;
    if (finished) {
      lane.queue.shift();
      this.#options.left(trigger);
    }
    slots.release(trigger.workspace);
    if (finished) this.#free(lane);
    else this.#repeat(lane, trigger);
    if (finished) this.#forgetIfEmpty(trigger.sourceId);
    if (this.#running === 0) this.#idle?.();
  }

  #free(lane: Lane): void {
    lane.busy = false;
    this.#advance(lane);
  }

  #repeat(lane: Lane, trigger: QueuedTrigger): void {
    const delayMs = this.#options.repeatDelayMs(trigger);
    if (delayMs === 0) this.#free(lane);
    else setTimeout(() => this.#free(lane), delayMs).unref();
  }

  #forgetIfEmpty(sourceId: string): void {
    if (this.length(sourceId, 'hooks') + this.length(sourceId, 'runs') === 0) this.#sources.delete(sourceId);
  }
}
