// One lane of a source: its triggers in order, of which the first few are under way, one after another.
import type { Finished } from '../outcome/finished.ts';
import type { Claim } from '../places/places.ts';
import { Fifo } from './fifo.ts';
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

export class Lane {
  readonly queue = new Fifo<QueuedTrigger>();
  /** The offsets of those behind the queue. */
  readonly behind = new Fifo<number>();
  isReadingBack = false;
  /** The first ones of the queue, in order. */
  readonly sent = new Fifo<Sent>();
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
  /** What the last one sent runs on; others do not follow it. */
  revision: unknown;
  /** What the last one that ended put out. */
  outputBytes = 0;
  /** Of those sent, without what they add beside their bodies. */
  sentBytes = 0;

  /** The first that was not sent. */
  get next(): QueuedTrigger | undefined {
    return this.queue.at(this.sent.length);
  }

  /** All that wait or run. */
  get length(): number {
    return this.queue.length + this.behind.length;
  }

  get isIdle(): boolean {
    return this.claim === undefined && !this.resting;
  }

  send(sent: Sent, revision: unknown): void {
    this.sent.push(sent);
    this.sentBytes += sent.trigger.bytes;
    this.revision = revision;
  }

  /** The first one's end, when it has ended. What was lost takes all behind it along: none of them can have begun. */
  takeEnded(): Sent | undefined {
    const first = this.sent.peek();
    if (first?.result === undefined) return undefined;
    if (first.result.finished === undefined && this.sent.toArray().some(({ result }) => result === undefined))
      return undefined;
    this.sent.shift();
    this.sentBytes -= first.trigger.bytes;
    return first;
  }

  /** What was sent behind one that was lost: it stays in the queue. */
  takeBack(): readonly Sent[] {
    this.isBroken = false;
    const all = this.sent.toArray();
    for (let sent = this.sent.shift(); sent !== undefined; sent = this.sent.shift())
      this.sentBytes -= sent.trigger.bytes;
    return all;
  }
}
