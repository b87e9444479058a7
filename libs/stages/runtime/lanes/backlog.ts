// Counts what waits in a partition: decides which triggers are kept, which only as offsets, and when reading pauses.
import type { RuntimeLimits } from '../runtime-limits.ts';
import type { CountByLane, QueueDepths } from '../measuring/queue-depths.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import { UnfinishedOffsets } from './unfinished-offsets.ts';

type Limits = Pick<
  RuntimeLimits,
  'retainedBytesMax' | 'bufferedMax' | 'bufferedOfLaneMax' | 'queuedMax' | 'requestsMax' | 'publishBytesMax'
>;

export interface BacklogOptions {
  readonly limits: Limits;
  readonly depths: QueueDepths;
}

/** Reading resumes at this fraction of a limit, so that it does not pause and resume with every trigger. */
const resumeRatio = 0.5;

export interface ReadingValve {
  pause(): void;
  resume(): void;
}

export class Backlog {
  readonly #limits: Limits;
  readonly #valve: ReadingValve;
  readonly #unfinished: UnfinishedOffsets;
  #readTo: number;
  #queued = 0;
  /** `#queued` by lane. */
  readonly #byLane: CountByLane = { hooks: 0, runs: 0, calls: 0 };
  readonly #depths: QueueDepths;
  #buffered = 0;
  #retainedBytes = 0;
  /** Requests to delete events or to record a change of filters that are not carried out yet. */
  #requests = 0;
  /** The size of requests to publish and to data stores that are not carried out yet. */
  #publishBytes = 0;
  #paused = false;

  /** `depths`: the counts of all partitions of the process. */
  constructor(from: number, { limits, depths }: BacklogOptions, valve: ReadingValve) {
    this.#limits = limits;
    this.#depths = depths;
    depths.addPartition(this.#byLane);
    this.#valve = valve;
    this.#readTo = from;
    this.#unfinished = new UnfinishedOffsets(from);
  }

  add({ offset, lane }: QueuedTrigger): void {
    this.#unfinished.add(offset);
    this.#queued++;
    this.#byLane[lane]++;
    this.#pauseIfFull();
  }

  /** Adds a request to delete events or to record a change of filters, which is in no lane. */
  addRequest(offset: number): void {
    this.#unfinished.add(offset);
    this.#requests++;
    this.#pauseIfFull();
  }

  /** Call when the request's result was handed to the log. */
  requestDone(offset: number): void {
    this.#requests--;
    this.#unfinished.markDone(offset);
    this.#resumeIfFree();
  }

  /** Adds a request to publish or to a data store, which is in no lane. */
  addPublish(offset: number, bytes: number): void {
    this.#unfinished.add(offset);
    this.#publishBytes += bytes;
    this.#pauseIfFull();
  }

  /** Call when the request's result was handed to the log: events, or changes of a store. */
  publishDone(offset: number, bytes: number): void {
    this.#publishBytes -= bytes;
    this.#unfinished.markDone(offset);
    this.#resumeIfFree();
  }

  /** Whether a lane that keeps this many can keep one more; it can always keep its first. */
  canBuffer(bufferedInLane: number): boolean {
    const { bufferedMax, bufferedOfLaneMax } = this.#limits;
    return bufferedInLane === 0 || (bufferedInLane < bufferedOfLaneMax && this.#buffered < bufferedMax);
  }

  /** Keeps the trigger in its lane, with its record while there is room for that. */
  buffer(trigger: QueuedTrigger): void {
    this.#buffered++;
    if (this.#retainedBytes + trigger.bytes > this.#limits.retainedBytesMax) trigger.record = undefined;
    else if (trigger.record !== undefined) this.#retainedBytes += trigger.bytes;
  }

  /** Call when the trigger has run: its record is no longer needed. */
  release(trigger: QueuedTrigger): void {
    this.#queued--;
    this.#buffered--;
    this.#byLane[trigger.lane]--;
    if (trigger.record !== undefined) this.#retainedBytes -= trigger.bytes;
    trigger.record = undefined;
    this.#resumeIfFree();
  }

  /** Call when the trigger's end was handed to the log. */
  markDone({ offset }: QueuedTrigger): void {
    this.#unfinished.markDone(offset);
  }

  markRead(next: number): void {
    this.#readTo = next;
    this.#unfinished.markRead(next);
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
    this.#depths.removePartition(this.#byLane);
  }

  #fillRatio(): number {
    const { queuedMax, requestsMax, publishBytesMax } = this.#limits;
    const requestRatio = Math.max(this.#requests / requestsMax, this.#publishBytes / publishBytesMax);
    return Math.max(this.#queued / queuedMax, requestRatio);
  }

  #pauseIfFull(): void {
    if (this.#paused || this.#fillRatio() <= 1) return;
    this.#paused = true;
    this.#valve.pause();
  }

  #resumeIfFree(): void {
    if (!this.#paused || this.#fillRatio() > resumeRatio) return;
    this.#paused = false;
    this.#valve.resume();
  }
}
