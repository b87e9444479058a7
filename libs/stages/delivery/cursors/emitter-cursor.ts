// One subscription's place in one emitter's events, in memory: what is queued, open, behind, and not yet on the log.
import type { CursorPosition, Finish, Postponed } from '../../../domain/delivery/cursor.ts';
import { begin, cursorAt, cursorKey, failedInHeadMax, finish } from '../../../domain/delivery/cursor.ts';
import { counted, openMax, overtaken, postpone, setAside } from '../../../domain/delivery/cursor.ts';
import type { OpenDelivery } from '../../../domain/delivery/messages.ts';
import type { Millis } from '../../../domain/message.ts';
import { Fifo } from '../../../primitives/fifo.ts';
import type { Completed } from '../records/completed.ts';
import type { SubscriptionTarget } from '../listeners/target.ts';
import type { Waiting } from '../sending/lanes.ts';
import type { SignedMessage } from '../sending/request.ts';
import type { BufferedEvent, EventBuffer } from './buffer.ts';
import { sizeOf } from './buffer.ts';
import { ReadAhead } from './read-ahead.ts';
import { SetAside } from './set-aside.ts';

/** Events that a cursor that is behind takes at a time, at most: a page, and some more. */
const windowMax = 640;

export class EmitterCursor {
  readonly subscription: SubscriptionTarget;
  readonly emitterId: string;
  readonly key: string;
  /** Attempts made since the last flush, in order. */
  pending: Completed[] = [];
  pendingBytes = 0;
  /** Its turn in its webhook's lane, and whether that waits there. */
  turn: Waiting | undefined;
  linedUp = false;
  /** The next event's message, when there was time to sign it. */
  signedAhead: SignedMessage | undefined;
  /** How it reads from the log while it is behind. */
  readonly readAhead = new ReadAhead(windowMax);
  /** Of what is queued. */
  queuedBytes = 0;
  /** First attempts that have begun in this process. */
  begun = 0;
  /** What waits for a retry apart from the position. */
  readonly aside = new SetAside();
  readonly #buffer: EventBuffer;
  readonly #queue = new Fifo<BufferedEvent>();
  #position: CursorPosition;
  /** Events below were accounted for when the tail was joined. */
  #joinedAt: number;
  #readFrom: number | null;
  /** The record on the log already says that everything from here on may be unread. */
  #recordedUnreadFrom: number | null;

  constructor(
    subscription: SubscriptionTarget,
    emitterId: string,
    place: { readonly position: CursorPosition; readonly behindFrom: number | null; readonly buffer: EventBuffer },
  ) {
    this.subscription = subscription;
    this.emitterId = emitterId;
    this.key = cursorKey(subscription.subscriptionId, emitterId);
    this.#buffer = place.buffer;
    this.#position = place.position;
    this.#joinedAt = place.position.next;
    this.#readFrom = place.behindFrom;
    this.#recordedUnreadFrom = place.behindFrom;
  }

  static startingAt(subscription: SubscriptionTarget, emitterId: string, at: { next: number; buffer: EventBuffer }) {
    return new EmitterCursor(subscription, emitterId, {
      position: cursorAt(at.next),
      behindFrom: null,
      buffer: at.buffer,
    });
  }

  get position(): CursorPosition {
    return this.#position;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** The event whose turn it is next, when it is in memory. */
  get upNext(): BufferedEvent | undefined {
    return this.#queue.peek();
  }

  /** Where to read from the log; null: the tail gives it everything. */
  get readFrom(): number | null {
    return this.#readFrom;
  }

  /** Where events that have not begun may stand; null: nowhere below the tail. */
  get unreadFrom(): number | null {
    return this.#queue.peek()?.offset ?? this.#readFrom;
  }

  /** Whether a crash now would repeat or lose something that the record on the log does not say. */
  get uncovered(): boolean {
    return this.#recordedUnreadFrom === null;
  }

  get stopped(): boolean {
    return this.subscription.closed || this.subscription.webhook.stopped;
  }

  /** Whether its receiver answers, as far as the log says: something was finished, and nothing waits for a retry. */
  get hasAnswered(): boolean {
    const { counters, open } = this.#position;
    return counters.delivered > 0 && this.aside.size === 0 && open.every(({ attempts }) => attempts === 0);
  }

  /** A head that failed blocks an ordered cursor; too many unfinished events block any. */
  get blocked(): boolean {
    const { open } = this.#position;
    if (this.stopped || open.length >= openMax) return true;
    return this.subscription.webhook.ordered && open.some((delivery) => delivery.attempts > 0);
  }

  /** Whether a first attempt could start now, if need be with an event that has still to be read. */
  get startable(): boolean {
    if ((this.#queue.length === 0 && this.#readFrom === null) || this.blocked) return false;
    return !this.subscription.webhook.ordered || this.#position.open.length === 0;
  }

  /** Whether the tail's event at `offset` would be queued here: only then is it worth holding. */
  takesFromTail(offset: number): boolean {
    return offset >= this.#joinedAt && this.#readFrom === null && !this.blocked;
  }

  /** An event from the tail that it takes. */
  offer(event: BufferedEvent): void {
    this.#enqueue(event);
  }

  /** An event from the tail that it does not take: it is left on the log, unless it was accounted for before. */
  miss(offset: number): void {
    if (offset >= this.#joinedAt && this.#readFrom === null) this.#readFrom = offset;
  }

  /** An event that was read from the log, in order. */
  catchUp(event: BufferedEvent): void {
    this.#enqueue(event);
    this.#readFrom = event.offset + 1;
  }

  /** The log was read up to `offset` for this cursor. */
  readUpTo(offset: number): void {
    this.#readFrom = offset;
  }

  /** From `offset` on the tail gives it everything. */
  join(offset: number): void {
    this.#readFrom = null;
    this.#joinedAt = offset;
  }

  /** Lets go of what is queued: it is read from the log later. */
  fallBehind(): void {
    this.#readFrom = this.unreadFrom;
    for (const event of this.#queue.drain()) this.#buffer.release(event);
    this.queuedBytes = 0;
  }

  /** Takes the next event, whose first attempt begins. */
  begin(at: Millis): BufferedEvent | undefined {
    const event = this.#shift();
    if (event === undefined) return undefined;
    this.begun++;
    this.#position = begin(this.#position, event.offset, at);
    return event;
  }

  /** Lets go of the next event, which was deleted. */
  expireNext(): void {
    const event = this.#shift();
    if (event !== undefined)
      this.#position = overtaken(this.#position, { count: 1, next: event.offset + 1, as: 'deleted' });
  }

  /** Without order those that failed leave the position when there are many: it is written at every flush. */
  postpone(offset: number, until: Postponed): void {
    if (this.aside.postpone(offset, until)) return;
    this.#position = postpone(this.#position, offset, until);
    if (!this.subscription.webhook.ordered) this.#setAside();
    if (this.blocked) this.fallBehind();
  }

  finish(offset: number, as: Finish): void {
    const aside = this.aside.finish(offset);
    this.#position = aside ? counted(this.#position, as) : finish(this.#position, offset, as);
  }

  /** What has begun and stands below `offset` is given up, so many at most; gives how many that were. */
  expireBegun(offset: number, max: number): number {
    const expired = [...this.unfinished()].filter((delivery) => delivery.offset < offset).slice(0, max);
    for (const delivery of expired) this.finish(delivery.offset, 'overtaken');
    return expired.length;
  }

  /** So many events that have not begun, up to where it goes on, are given up. Nothing may be queued. */
  expireUnread(count: number, next: number): void {
    this.#position = overtaken(this.#position, { count, next });
    this.#readFrom = next;
  }

  /** Gives up an event that the tail brings; false: it was accounted for, or others are to be dealt with before it. */
  expireFromTail(offset: number): boolean {
    if (offset < this.#joinedAt || this.unreadFrom !== null) return false;
    this.#position = overtaken(this.#position, { count: 1, next: offset + 1 });
    return true;
  }

  attemptsAt(offset: number): number | undefined {
    const delivery = this.aside.get(offset) ?? this.#position.open.find((one) => one.offset === offset);
    return delivery?.attempts;
  }

  /** All that has begun and is not finished. */
  *unfinished(): Generator<OpenDelivery> {
    yield* this.#position.open;
    yield* this.aside.all();
  }

  /** Its state goes to the log as it is now. */
  recorded(): void {
    this.#recordedUnreadFrom = this.unreadFrom;
  }

  #setAside(): void {
    let failed = this.#position.open.filter(({ attempts }) => attempts > 0);
    for (; failed.length > failedInHeadMax; failed = failed.slice(1)) {
      const [oldest] = failed;
      if (oldest === undefined) return;
      this.aside.add(oldest);
      this.#position = setAside(this.#position, oldest.offset);
    }
  }

  #shift(): BufferedEvent | undefined {
    const event = this.#queue.shift();
    if (event === undefined) return undefined;
    this.#buffer.release(event);
    this.queuedBytes -= sizeOf(event);
    return event;
  }

  #enqueue(event: BufferedEvent): void {
    this.#buffer.hold(event);
    this.queuedBytes += sizeOf(event);
    this.#queue.push(event);
  }
}
