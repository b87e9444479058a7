// Counts what waits in a partition: decides which triggers are kept, which only as offsets, and when reading pauses.
import type { RuntimeLimits } from '../runtime-limits.ts';
import type { ByLane, Depths } from '../measuring/depths.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import { Unfinished } from './unfinished.ts';

type Limits = Pick<
  RuntimeLimits,
  'retainedBytesMax' | 'keptMax' | 'keptOfLaneMax' | 'queuedMax' | 'requestsMax' | 'publishBytesMax'
>;

export interface BacklogOptions {
  readonly limits: Limits;
  readonly depths: Depths;
}

/** Reading resumes at this fraction of a limit, so that it does not pause and resume with every trigger. */
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
  /** `#queued` by lane. */
  readonly #byLane: ByLane = { hooks: 0, runs: 0, calls: 0 };
  readonly #depths: Depths;
  #kept = 0;
  #retainedBytes = 0;
  /** Requests to delete events or to record a change of filters that are not carried out yet. */
  #requests = 0;
  /** The size of requests to publish and to data stores that are not carried out yet. */
  #publishBytes = 0;
  #paused = false;

  /** `depths`: the counts of all partitions of the process. */
  constructor(from: number, { limits, depths }: BacklogOptions, valve: Valve) {
    this.#limits = limits;
    this.#depths = depths;
    depths.join(this.#byLane);
    this.#valve = valve;
    this.#readTo = from;
    this.#unfinished = new Unfinished(from);
  }

  add({ offset, lane }: QueuedTrigger): void {
    this.#unfinished.add(offset);
    this.#queued++;
    this.#byLane[lane]++;
    this.#press();
  }

  /** Adds a request to delete events or to record a change of filters, which is in no lane. */
  addRequest(offset: number): void {
    this.#unfinished.add(offset);
    this.#requests++;
    this.#press();
  }

  /** Call when the request's result was handed to the log. */
  requestDone(offset: number): void {
    this.#requests--;
    this.#unfinished.done(offset);
    this.#relax();
  }

  /** Adds a request to publish or to a data store, which is in no lane. */
  addPublish(offset: number, bytes: number): void {
    this.#unfinished.add(offset);
    this.#publishBytes += bytes;
    this.#press();
  }

  /** Call when the request's result was handed to the log: events, or changes of a store. */
  publishDone(offset: number, bytes: number): void {
    this.#publishBytes -= bytes;
    this.#unfinished.done(offset);
    this.#relax();
  }

  /** Whether a lane that keeps this many can keep one more; it can always keep its first. */
  mayKeep(keptOfLane: number): boolean {
    const { keptMax, keptOfLaneMax } = this.#limits;
    return keptOfLane === 0 || (keptOfLane < keptOfLaneMax && this.#kept < keptMax);
  }

  /** Keeps the trigger in its lane, with its record while there is room for that. */
  keep(trigger: QueuedTrigger): void {
    this.#kept++;
    if (this.#retainedBytes + trigger.bytes > this.#limits.retainedBytesMax) trigger.record = undefined;
    else if (trigger.record !== undefined) this.#retainedBytes += trigger.bytes;
  }

  /** Call when the trigger has run: its record is no longer needed. */
  left(trigger: QueuedTrigger): void {
    this.#queued--;
    this.#kept--;
    this.#byLane[trigger.lane]--;
    if (trigger.record !== undefined) this.#retainedBytes -= trigger.bytes;
    trigger.record = undefined;
    this.#relax();
  }

  /** Call when the trigger's end was handed to the log. */
  done({ offset }: QueuedTrigger): void {
    this.#unfinished.done(offset);
  }

  readUpTo(next: number): void {
    this.#readTo = next;
    this.#unfinished.readTo(next);
  }

  /** All triggers below this offset were read. */
  get readTo(): number {
    return this.#readTo;
  }

  /** The oldest offset that is not done, or the next one to read. */
  mark(): number {
    return this.#unfinished.mark();
  }

  /** Call when the task ends: the rest no longer counts for this process. */
  stop(): void {
    this.#depths.leave(this.#byLane);
  }

  #load(): number {
    const { queuedMax, requestsMax, publishBytesMax } = this.#limits;
    const ofRequests = Math.max(this.#requests / requestsMax, this.#publishBytes / publishBytesMax);
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
