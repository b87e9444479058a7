// One lane of a source: a queue of triggers, of which the first few are in progress, in order or concurrently.
import type { SourceSettings } from '../../../domain/source/source-settings.ts';
import { Fifo } from '../../../primitives/collections/fifo.ts';
import type { TriggerResult } from '../outcome/trigger-result.ts';
import type { Claim } from '../admission/run-admission.ts';
import type { LaneName } from '../source/source-state.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';

/** A trigger that was sent to be run. */
export interface SentTrigger {
  readonly trigger: QueuedTrigger;
  readonly follows: boolean;
  /** Its expected output: as large as that of the trigger that ended last. */
  readonly outputBytes: number;
  /** Absent while it runs; `result` is undefined if it was lost. */
  completion?: { readonly result: TriggerResult | undefined };
}

const noOffsets: readonly number[] = [];

export class Lane {
  readonly name: LaneName;
  readonly #queue = new Fifo<QueuedTrigger>();
  /** The offsets of the triggers after the queue, which are not in memory. */
  readonly overflow = new Fifo<number>();
  isReadingBack = false;
  /** Triggers in progress, in order; they come before those of the queue. */
  readonly sent: SentTrigger[] = [];
  /** How many of those sent run concurrently; with 1 they end in order. */
  concurrency = 1;
  /** The source's settings when the first one in progress was sent. */
  settings: SourceSettings | undefined;
  /** Set from the request for admission to the end of what was admitted. */
  claim: Claim | undefined;
  /** Whether the lane waits before it repeats a lost trigger. */
  isRetryDelayed = false;
  /** Whether the trigger that ended last was quick and left its instance ready. */
  isWarm = false;
  /** Whether the lane must request admission again before it sends more. */
  mustReacquire = false;
  /** Whether one of those sent was lost, which is handled when all have ended. */
  hasLost = false;
  /** The isolate in which others can join the last one sent; undefined: none can. */
  joinableIsolate: unknown;
  /** The isolate of those sent, whether others can join them or not. */
  isolate: unknown;
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
  get bufferedCount(): number {
    return this.#queue.length + this.sent.length;
  }

  /** The number of triggers that wait or run. */
  get length(): number {
    return this.bufferedCount + this.overflow.length;
  }

  get isIdle(): boolean {
    return this.claim === undefined && !this.isRetryDelayed;
  }

  buffer(trigger: QueuedTrigger): void {
    this.#queue.push(trigger);
  }

  /** Whether one of those sent repeats a lost one. */
  get isRetrying(): boolean {
    return this.sent.some(({ trigger }) => trigger.losses > 0);
  }

  /** Whether one more can be sent: the source's settings limit concurrent runs, otherwise the window does. */
  hasRoomFor({ bytes }: QueuedTrigger, window: { readonly count: number; readonly bytes: number }): boolean {
    const count = this.concurrency > 1 ? this.concurrency : window.count;
    return this.sent.length < count && this.sentBytes + bytes <= window.bytes;
  }

  /** Moves the first trigger of the queue to `sent`. */
  send(sent: SentTrigger, { joinableIsolate, isolate }: Pick<Lane, 'joinableIsolate' | 'isolate'>): void {
    this.#queue.shift();
    this.sent.push(sent);
    this.sentBytes += sent.trigger.bytes;
    this.joinableIsolate = joinableIsolate;
    this.isolate = isolate;
  }

  /**
   * Removes and returns a trigger that has ended: any of concurrent ones, otherwise the first. A lost one is taken only
   * when nothing runs any more: those that followed it cannot have begun, and concurrent ones might have succeeded.
   */
  takeEnded(): SentTrigger | undefined {
    const isCompleted = (sent: SentTrigger): boolean => sent.completion?.result !== undefined;
    const at = this.concurrency > 1 ? this.sent.findIndex(isCompleted) : 0;
    if (at > 0 || (this.sent[0] !== undefined && isCompleted(this.sent[0]))) return this.#remove(Math.max(at, 0));
    if (this.sent.some(({ completion }) => completion === undefined)) return undefined;
    return this.sent.length === 0 ? undefined : this.#remove(0);
  }

  /** The offsets of earlier triggers that are still in progress. */
  overtakenBy(trigger: QueuedTrigger): readonly number[] {
    if (this.concurrency === 1) return noOffsets;
    return this.sent.map((sent) => sent.trigger.offset).filter((offset) => offset < trigger.offset);
  }

  /** Puts a lost trigger and all that were sent after it back into the queue; returns the latter. */
  takeBack(lost: SentTrigger): readonly SentTrigger[] {
    this.hasLost = false;
    const others = this.sent.splice(0);
    for (const { trigger } of others) this.sentBytes -= trigger.bytes;
    this.#queue.unshiftAll([lost, ...others].map(({ trigger }) => trigger));
    return others;
  }

  #remove(at: number): SentTrigger | undefined {
    const [sent] = this.sent.splice(at, 1);
    this.sentBytes -= sent?.trigger.bytes ?? 0;
    return sent;
  }
}
