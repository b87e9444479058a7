// One lane of a source: its triggers in order, of which the first few are under way, one after another or side by side.
import type { SourceSettings } from '../../../domain/source/source-settings.ts';
import { Fifo } from '../../../primitives/collections/fifo.ts';
import type { Finished } from '../outcome/finished.ts';
import type { Claim } from '../places/run-places.ts';
import type { LaneName } from '../source/source-state.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';

/** A trigger that was given to the sandbox. */
export interface Sent {
  readonly trigger: QueuedTrigger;
  readonly follows: boolean;
  /** Its expected output: as much as that of the trigger that ended last. */
  readonly outputBytes: number;
  /** Absent while it runs; `finished` is undefined if it was lost. */
  result?: { readonly finished: Finished | undefined };
}

const none: readonly number[] = [];

export class Lane {
  readonly name: LaneName;
  readonly #queue = new Fifo<QueuedTrigger>();
  /** The offsets of triggers behind the queue. */
  readonly behind = new Fifo<number>();
  isReadingBack = false;
  /** Triggers under way, in order; they come before those of the queue. */
  readonly sent: Sent[] = [];
  /** How many of those sent run side by side; with 1 they end in order. */
  concurrency = 1;
  /** The source's settings when the first of those sent was sent. */
  settings: SourceSettings | undefined;
  /** Held from asking for a place to the end of what ran in it. */
  claim: Claim | undefined;
  /** Whether it waits before it repeats a lost trigger. */
  resting = false;
  /** Whether the trigger that ended last was quick and left its instance ready. */
  isWarm = false;
  /** Whether it must ask for a place again before it sends more. */
  isOver = false;
  /** Whether one of those sent was lost: it is handled when all have ended. */
  isBroken = false;
  /** The isolate in which others may join the last one sent; undefined: none may. */
  joinedOn: unknown;
  /** The isolate of those sent, whether others may join them or not. */
  runsOn: unknown;
  /** The output of the trigger that ended last. */
  outputBytes = 0;
  /** The `bytes` of those sent. */
  sentBytes = 0;

  constructor(name: LaneName) {
    this.name = name;
  }

  /** The first trigger that was not sent yet. */
  get next(): QueuedTrigger | undefined {
    return this.#queue.peek();
  }

  /** How many triggers are kept, sent or not. */
  get kept(): number {
    return this.#queue.length + this.sent.length;
  }

  /** How many triggers wait or run. */
  get length(): number {
    return this.kept + this.behind.length;
  }

  get isIdle(): boolean {
    return this.claim === undefined && !this.resting;
  }

  keep(trigger: QueuedTrigger): void {
    this.#queue.push(trigger);
  }

  /** Whether one of those sent was lost before. */
  get isRepeating(): boolean {
    return this.sent.some(({ trigger }) => trigger.losses > 0);
  }

  /** How many may be sent: side by side as many as the source's settings allow, else as many as the window. */
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
   * A trigger that has ended: side by side any, else the first. A lost one is taken only when nothing runs any more:
   * those that followed it cannot have begun, and those beside it may have ended well.
   */
  takeEnded(): Sent | undefined {
    const well = (sent: Sent): boolean => sent.result?.finished !== undefined;
    const at = this.concurrency > 1 ? this.sent.findIndex(well) : 0;
    if (at > 0 || (this.sent[0] !== undefined && well(this.sent[0]))) return this.#remove(Math.max(at, 0));
    if (this.sent.some(({ result }) => result === undefined)) return undefined;
    return this.sent.length === 0 ? undefined : this.#remove(0);
  }

  /** The offsets of earlier triggers that are still under way. */
  overtakenBy(trigger: QueuedTrigger): readonly number[] {
    if (this.concurrency === 1) return none;
    return this.sent.map((sent) => sent.trigger.offset).filter((offset) => offset < trigger.offset);
  }

  /** Puts a lost trigger, and all that were sent behind it, back into the queue. */
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
