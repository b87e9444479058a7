// How much waits in a partition: decides which triggers are kept, which as their offsets alone, and when reading pauses.
import type { RuntimeLimits } from '../runtime-limits.ts';
import type { QueuedTrigger } from './queued-trigger.ts';
import { Unfinished } from './unfinished.ts';

type Limits = Pick<
  RuntimeLimits,
  'retainedBytesMax' | 'keptMax' | 'keptOfLaneMax' | 'queuedMax' | 'deletionsMax' | 'publishBytesMax'
>;

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
  #readTo: number;
  #queued = 0;
  #kept = 0;
  #retainedBytes = 0;
  /** Requests to delete events that are not carried out. */
  #deletions = 0;
  /** Of requests to publish that are not carried out. */
  #publishBytes = 0;
  #paused = false;

  constructor(from: number, limits: Limits, valve: Valve) {
    this.#limits = limits;
    this.#valve = valve;
    this.#readTo = from;
    this.#unfinished = new Unfinished(from);
  }

  add({ offset }: QueuedTrigger): void {
    this.#unfinished.add(offset);
    this.#queued++;
    this.#press();
  }

  /** A request to delete events, which is in no lane. */
  addDeletion(offset: number): void {
    this.#unfinished.add(offset);
    this.#deletions++;
    this.#press();
  }

  /** It was given to the log. */
  deletionDone(offset: number): void {
    this.#deletions--;
    this.#unfinished.done(offset);
    this.#relax();
  }

  /** A request to publish, which is in no lane. */
  addPublish(offset: number, bytes: number): void {
    this.#unfinished.add(offset);
    this.#publishBytes += bytes;
    this.#press();
  }

  /** It was given to the log. */
  publishDone(offset: number, bytes: number): void {
    this.#publishBytes -= bytes;
    this.#unfinished.done(offset);
    this.#relax();
  }

  /** Whether a lane that keeps so many may keep one more; it always has its first. */
  mayKeep(keptOfLane: number): boolean {
    const { keptMax, keptOfLaneMax } = this.#limits;
    return keptOfLane === 0 || (keptOfLane < keptOfLaneMax && this.#kept < keptMax);
  }

  /** It is kept in its lane, with its record while there is room for that. */
  keep(trigger: QueuedTrigger): void {
    this.#kept++;
    if (this.#retainedBytes + trigger.bytes > this.#limits.retainedBytesMax) trigger.record = undefined;
    else if (trigger.record !== undefined) this.#retainedBytes += trigger.bytes;
  }

  /** It has run: its record is not needed any more. */
  left(trigger: QueuedTrigger): void {
    this.#queued--;
    this.#kept--;
    if (trigger.record !== undefined) this.#retainedBytes -= trigger.bytes;
    trigger.record = undefined;
    this.#relax();
  }

  /** Its end was given to the log. */
  done({ offset }: QueuedTrigger): void {
    this.#unfinished.done(offset);
  }

  readUpTo(next: number): void {
    this.#readTo = next;
    this.#unfinished.readTo(next);
  }

  /** All below it were read. */
  get readTo(): number {
    return this.#readTo;
  }

  /** The oldest trigger that is not done, or where reading goes on. */
  mark(): number {
    return this.#unfinished.mark();
  }

  #load(): number {
    const { queuedMax, deletionsMax, publishBytesMax } = this.#limits;
    const ofRequests = Math.max(this.#deletions / deletionsMax, this.#publishBytes / publishBytesMax);
    return Math.max(this.#queued / queuedMax, ofRequests);
  }

  #press(): void {
    if (this.#paused || this.#load() <= 1) return;
    this.#paused = true;
    this.#valve.pause();
  }

  #relax(): void {
    if (!this.#paused || this.#load() > resumeAt) return;
    this.#paused = false;
    this.#valve.resume();
  }
}
