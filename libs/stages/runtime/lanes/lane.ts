// One lane of a source: its triggers in order, of which the first few are under way, one after another or side by side.
import type { SourceSettings } from '../../../domain/component/settings/source-settings.ts';
import { Fifo } from '../../../primitives/fifo.ts';
import type { Finished } from '../outcome/finished.ts';
import type { Claim } from '../places/places.ts';
import type { LaneName } from '../source/source-state.ts';
import type { QueuedTrigger } from './queued-trigger.ts';

/** A trigger that was given to the sandbox. */
export interface Sent {
  readonly trigger: QueuedTrigger;
  readonly follows: boolean;
  /** What it is expected to put out: as much as the one that ended last. */
  readonly outputBytes: number;
  /** Absent while it runs; undefined: it was lost. */
  result?: { readonly finished: Finished | undefined };
}

const none: readonly number[] = [];

export class Lane {
  readonly name: LaneName;
  readonly #queue = new Fifo<QueuedTrigger>();
  /** The offsets of those behind the queue. */
  readonly behind = new Fifo<number>();
  isReadingBack = false;
  /** In order, before those of the queue. */
  readonly sent: Sent[] = [];
  /** How many of those sent run side by side; with 1 they end in order. */
  concurrency = 1;
  /** Of the source, when the first of those sent was. */
  settings: SourceSettings | undefined;
  /** From asking for a place to the end of what ran in it. */
  claim: Claim | undefined;
  /** A repeat waits for its time. */
  resting = false;
  /** What the last one that ended promises: its instance is there, and quick. */
  isWarm = false;
  /** Nothing more is sent in its place: it must ask for one again. */
  isOver = false;
  /** One of those sent was lost: it comes first when they have all ended. */
  isBroken = false;
  /** The isolate in which others may join the last one sent; undefined: none may. */
  joinedOn: unknown;
  /** The isolate of those sent, whether others may join them or not. */
  runsOn: unknown;
  /** What the last one that ended put out. */
  outputBytes = 0;
  /** Of those sent, without what they add beside their bodies. */
  sentBytes = 0;

  constructor(name: LaneName) {
    this.name = name;
  }

  /** The first that was not sent. */
  get next(): QueuedTrigger | undefined {
    return this.#queue.peek();
  }

  /** Those that are known whole, sent or not. */
  get kept(): number {
    return this.#queue.length + this.sent.length;
  }

  /** All that wait or run. */
  get length(): number {
    return this.kept + this.behind.length;
  }

  get isIdle(): boolean {
    return this.claim === undefined && !this.resting;
  }

  keep(trigger: QueuedTrigger): void {
    this.#queue.push(trigger);
  }

  /** Among those sent is one that was lost before. */
  get isRepeating(): boolean {
    return this.sent.some(({ trigger }) => trigger.losses > 0);
  }

  /** Side by side as many run as its source may have, whatever the window. */
  hasRoomFor({ bytes }: QueuedTrigger, window: { readonly count: number; readonly bytes: number }): boolean {
    const count = this.concurrency > 1 ? this.concurrency : window.count;
    return this.sent.length < count && this.sentBytes + bytes <= window.bytes;
  }

  /** The first of the queue is sent. */
  send(sent: Sent, { joinedOn, runsOn }: Pick<Lane, 'joinedOn' | 'runsOn'>): void {
    this.#queue.shift();
    this.sent.push(sent);
    this.sentBytes += sent.trigger.bytes;
    this.joinedOn = joinedOn;
    this.runsOn = runsOn;
  }

  /**
   * One that has ended: the first one when they end in order, and else whichever has. What was lost comes when nothing runs
   * any more: those that followed it cannot have begun, and those beside it may have ended well.
   */
  takeEnded(): Sent | undefined {
    const well = (sent: Sent): boolean => sent.result?.finished !== undefined;
    const at = this.concurrency > 1 ? this.sent.findIndex(well) : 0;
    if (at > 0 || (this.sent[0] !== undefined && well(this.sent[0]))) return this.#remove(Math.max(at, 0));
    if (this.sent.some(({ result }) => result === undefined)) return undefined;
    return this.sent.length === 0 ? undefined : this.#remove(0);
  }

  /** The offsets of what is under way and was requested before `trigger`. */
  overtakenBy(trigger: QueuedTrigger): readonly number[] {
    if (this.concurrency === 1) return none;
    return this.sent.map((sent) => sent.trigger.offset).filter((offset) => offset < trigger.offset);
  }

  /** One that was lost, and all that was sent behind it, go back into the queue. */
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
