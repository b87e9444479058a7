// Which trigger runs when: one at a time in each lane of a source, sources side by side, all within the process's slots.
import type { LaneName } from '../source/source-state.ts';
import { Fifo } from './fifo.ts';
import type { QueuedTrigger } from './queued-trigger.ts';
import type { Slots } from './slots.ts';

/** One for all partitions of a process. */
export interface SharedSlots {
  readonly runs: Slots;
  readonly hooks: Slots;
  /** One at a time: a repeat after a runner's death may kill its runner again, and must not take another repeat along. */
  readonly suspects: Slots;
}

export interface DispatcherOptions {
  readonly slots: SharedSlots;
  /** False: what it needs has not been read yet; `wake` when it may have. */
  readonly runnable: (trigger: QueuedTrigger) => boolean;
  /** False: no run starts now; `wakeStarved` when one may. */
  readonly mayStart: () => boolean;
  readonly suspect: (sourceId: string) => boolean;
  /** Resolves to false when the trigger must be repeated; what it rejects with ends the task. */
  readonly execute: (trigger: QueuedTrigger) => Promise<boolean>;
  /** It left its lane. */
  readonly left: (trigger: QueuedTrigger) => void;
  readonly fail: (error: Error) => void;
}

interface Lane {
  readonly queue: Fifo<QueuedTrigger>;
  /** From asking for a slot to the end of the run. */
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
      this.#enter(this.#gates(trigger), (leave) => this.#begin(lane, trigger, leave));
    }
  }

  #gates(trigger: QueuedTrigger): readonly Slots[] {
    const { slots, suspect } = this.#options;
    const own = slots[trigger.lane];
    return trigger.losses > 0 || suspect(trigger.sourceId) ? [slots.suspects, own] : [own];
  }

  /** Takes a slot of each gate, one after the other. */
  #enter(gates: readonly Slots[], begin: (leave: () => void) => void, entered: readonly Slots[] = []): void {
    const [gate, ...others] = gates;
    if (gate === undefined) begin(() => entered.forEach((slots) => slots.release()));
    else gate.take(() => this.#enter(others, begin, [...entered, gate]));
  }

  #begin(lane: Lane, trigger: QueuedTrigger, leave: () => void): void {
    if (this.#stopped) {
      leave();
      return;
    }
    this.#running++;
    this.#options.execute(trigger).then(
      (finished) => this.#ended(lane, finished, leave),
      (error: unknown) => {
        leave();
        this.#options.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  #ended(lane: Lane, finished: boolean, leave: () => void): void {
    lane.busy = false;
    this.#running--;
    const trigger = finished ? lane.queue.shift() : undefined;
    if (trigger !== undefined) this.#options.left(trigger);
    leave();
    this.#advance(lane);
    if (trigger !== undefined) this.#forgetIfEmpty(trigger.sourceId);
    if (this.#running === 0) this.#idle?.();
  }

  #forgetIfEmpty(sourceId: string): void {
    if (this.length(sourceId, 'hooks') + this.length(sourceId, 'runs') === 0) this.#sources.delete(sourceId);
  }
}
