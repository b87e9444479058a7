// How much waits in a partition: decides which triggers keep only their offset, and when reading pauses.
import type { RuntimeLimits } from '../limits.ts';
import type { QueuedTrigger } from './queued-trigger.ts';
import { Unfinished } from './unfinished.ts';

type Limits = Pick<RuntimeLimits, 'retainedBytesMax' | 'queuedMax' | 'unfinishedMax'>;

/** Reading goes on once this part of a bound is free again, so that it does not stop and go with every trigger. */
const resumeAt = 0.5;

export interface Valve {
  pause(): void;
  resume(): void;
}

export class Backlog {
  readonly #limits: Limits;
  readonly #valve: Valve;
  readonly #unfinished: Unfinished;
  #queued = 0;
  #retainedBytes = 0;
  #paused = false;

  constructor(from: number, limits: Limits, valve: Valve) {
    this.#limits = limits;
    this.#valve = valve;
    this.#unfinished = new Unfinished(from);
  }

  add(trigger: QueuedTrigger): void {
    this.#unfinished.add(trigger);
    this.#queued++;
    if (this.#retainedBytes + trigger.bytes > this.#limits.retainedBytesMax) trigger.record = undefined;
    else this.#retainedBytes += trigger.bytes;
    if (!this.#paused && this.#load() > 1) {
      this.#paused = true;
      this.#valve.pause();
    }
  }

  /** It has run: its record is not needed any more. */
  left(trigger: QueuedTrigger): void {
    this.#queued--;
    if (trigger.record !== undefined) this.#retainedBytes -= trigger.bytes;
    trigger.record = undefined;
    this.#relax();
  }

  readTo(next: number): void {
    this.#unfinished.readTo(next);
  }

  /** The oldest trigger that is not done, or where reading goes on. */
  mark(): number {
    const mark = this.#unfinished.mark();
    this.#relax();
    return mark;
  }

  #load(): number {
    return Math.max(this.#queued / this.#limits.queuedMax, this.#unfinished.length / this.#limits.unfinishedMax);
  }

  #relax(): void {
    if (!this.#paused || this.#load() > resumeAt) return;
    this.#paused = false;
    this.#valve.resume();
  }
}
