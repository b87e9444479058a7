// One lane of a source: a queue of triggers, of which the first few are in progress, in order or concurrently.
import type { SourceSettings } from '../../../domain/source/source-settings.ts';
import { Fifo } from '../../../primitives/collections/fifo.ts';
import type { Finished } from '../outcome/finished.ts';
import type { Claim } from '../places/run-places.ts';
import type { LaneName } from '../source/source-state.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';

/** A trigger that was sent to be run. */
export interface Sent {
  readonly trigger: QueuedTrigger;
  readonly follows: boolean;
  /** Its expected output: as large as that of the trigger that ended last. */
  readonly outputBytes: number;
  /** Absent while it runs; `finished` is undefined if it was lost. */
  result?: { readonly finished: Finished | undefined };
}

const none: readonly number[] = [];

export class Lane {
  readonly name: LaneName;
  readonly #queue = new Fifo<QueuedTrigger>();
  /** The offsets of the triggers after the queue, which are not in memory. */
  readonly behind = new Fifo<number>();
  isReadingBack = false;
  /** Triggers in progress, in order; they come before those of the queue. */
  readonly sent: Sent[] = [];
  /** How many of those sent run concurrently; with 1 they end in order. */
  concurrency = 1;
  /** The source's settings when the first one in progress was sent. */
  settings: SourceSettings | undefined;
  /** Set from the request for a place to the end of what ran in it. */
  claim: Claim | undefined;
  /** Whether the lane waits before it repeats a lost trigger. */
  resting = false;
  /** Whether the trigger that ended last was quick and left its instance ready. */
  isWarm = false;
  /** Whether the lane must request a place again before it sends more. */
  isOver = false;
  /** Whether one of those sent was lost, which is handled when all have ended. */
  isBroken = false;
  /** The isolate in which others can join the last one sent; undefined: none can. */
  joinedOn: unknown;
  /** The isolate of those sent, whether others can join them or not. */
  runsOn: unknown;
  /** The output of the trigger that ended last. */
  outputBytes = 0;
  /** The sum of the `bytes` of those sent. */
  sentBytes = 0;

  constructor(name: LaneName) {
    this.name = name;
  }

  /** The first trigger that has not been sent. */
  get next(): QueuedTrigger | undefined {
    return this.#queue.peek();
  }

  /** The number of triggers in memory, sent or not. */
  get kept(): number {
    return this.#queue.length + this.sent.length;
  }

  /** The number of triggers that wait or run. */
  get length(): number {
    return this.kept + this.behind.length;
  }

  get isIdle(): boolean {
    return this.claim === undefined && !this.resting;
  }

  keep(trigger: QueuedTrigger): void {
    this.#queue.push(trigger);
  }

  /** Whether one of those sent repeats a lost one. */
  get isRepeating(): boolean {
    return this.sent.some(({ trigger }) => trigger.losses > 0);
  }

  /** Whether one more can be sent: the source's settings limit concurrent runs, otherwise the window does. */
  hasRoomFor({ bytes }: QueuedTrigger, window: { readonly count: number; readonly bytes: number }): boolean {
    const count = this.concurrency > 1 ? this.concurrency : window.count;
    return this.sent.length < count && this.sentBytes + bytes <= window.bytes;
  }

  /** Moves the first trigger of the queue to `sent`. */
  send(sent: Sent, { joinedOn, runsOn }: Pick<Lane, 'joinedOn' | 'runsOn'>): void {
    this.#queue.shift();
    this.sent.push(sent);
    this.sentBytes += sent.trigger.bytes;
    this.joinedOn = joinedOn;
    this.runsOn = runsOn;
  }

  /**
   * Removes and returns a trigger that has ended: any of concurrent ones, otherwise the first. A lost one is taken only
   * when nothing runs any more: those that followed it cannot have begun, and concurrent ones might have succeeded.
   */
  takeEnded(): Sent | undefined {
    const well = (sent: Sent): boolean => sent.result?.finished !== undefined;
    const at = this.concurrency > 1 ? this.sent.findIndex(well) : 0;
    if (at > 0 || (this.sent[0] !== undefined && well(this.sent[0]))) return this.#remove(Math.max(at, 0));
    if (this.sent.some(({ result }) => result === undefined)) return undefined;
    return this.sent.length === 0 ? undefined : this.#remove(0);
  }

  /** The offsets of earlier triggers that are still in progress. */
  overtakenBy(trigger: QueuedTrigger): readonly number[] {
    if (this.concurrency === 1) return none;
    return this.sent.map((sent) => sent.trigger.offset).filter((offset) => offset < trigger.offset);
  }

  /** Puts a lost trigger and all that were sent after it back into the queue; returns the latter. */
  takeBack(lost: Sent): readonly Sent[] {
    this.isBroken = false;
    const behind = this.sent.splice(0);
    for (const { trigger } of behind) this.sentBytes -= trigger.bytes;
    this.#queue.putBack([lost, ...behind].map(({ trigger }) => trigger));
    return behind;
  }

  #remove(at: number): Sent | undefined {
    const [sent] = this.sent.splice(at, 1);
    this.sentBytes -= sent?.trigger.bytes ?? 0;
    return sent;
  }
}
