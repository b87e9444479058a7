// One subscription's place in one emitter's events, in memory: what is queued, open, behind, and not yet on the log.
import type { CursorPosition, Finish, Postponed } from '../../../domain/delivery/cursor.ts';
import { begin, counted, cursorKey, failedBeyond, failedInHeadMax } from '../../../domain/delivery/cursor.ts';
import { finish, openMax, overtaken, passedOver, postpone } from '../../../domain/delivery/cursor.ts';
import { setAside } from '../../../domain/delivery/cursor.ts';
import type { OpenDelivery } from '../../../domain/delivery/messages.ts';
import type { Millis } from '../../../domain/message.ts';
import { Fifo } from '../../../primitives/fifo.ts';
import type { Lately } from '../asked/lately.ts';
import { PassedEvents } from '../filters/passed-events.ts';
import type { Completed } from '../records/completed.ts';
import type { Seen } from '../records/cursor-report.ts';
import type { SubscriptionTarget } from '../listeners/target.ts';
import type { Waiting } from '../sending/lane/lane.ts';
import type { AttemptKind } from '../sending/reputation.ts';
import type { SignedMessage } from '../sending/request.ts';
import type { BufferedEvent, EmittedRecord, EventBuffer } from './buffer.ts';
import { sizeOf } from './buffer.ts';
import { ReadAhead } from './read-ahead.ts';
import { SetAside } from './set-aside.ts';

/** The most events that a cursor takes at a time while it is behind: a page and some more. */
const windowMax = 640;

export class EmitterCursor {
  readonly subscription: SubscriptionTarget;
  readonly emitterId: string;
  readonly key: string;
  /** The kind of place that its first attempts take. */
  readonly kind: AttemptKind = 'first';
  /** The replay to which the cursor belongs; undefined: it is the subscription's own cursor. */
  readonly replayId: string | undefined = undefined;
  /** Attempts made since the last flush, in order. */
  pending: Completed[] = [];
  pendingBytes = 0;
  /** Its turn in its webhook's lane; `linedUp`: the turn waits there. */
  turn: Waiting | undefined;
  linedUp = false;
  /** The next event's message, if it was signed ahead. */
  signedAhead: SignedMessage | undefined;
  /** How much to read from the log while it is behind. */
  readonly readAhead = new ReadAhead(windowMax);
  /** Bytes of the queued events. */
  queuedBytes = 0;
  /** First attempts that have begun in this process. */
  begun = 0;
  /** Deliveries that wait for a retry outside the position, in records of their own. */
  readonly aside = new SetAside();
  /** Offsets of retries that became due while nothing was sent to the webhook. */
  suspended: Set<number> | undefined;
  /** Offsets of attempts in flight, and of those whose delivery was given up meanwhile. */
  trying: Set<number> | undefined;
  discarded: Set<number> | undefined;
  /** Undefined until an event that is parked ceases to be. */
  lately: Lately | undefined;
  /** What its records report to people. */
  readonly seen: Seen = { eventId: null, failed: null };
  readonly #buffer: EventBuffer;
  readonly #queue = new Fifo<BufferedEvent>();
  /** Undefined until the filter leaves an event out, which never happens on most cursors. */
  #passed: PassedEvents | undefined;
  #position: CursorPosition;
  /** Events below this offset were accounted for when the cursor joined the tail. */
  #joinedAt: number;
  #readFrom: number | null;
  /** `unreadFrom` as the cursor's record on the log has it. */
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

  get position(): CursorPosition {
    return this.#position;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** The next event, when it is in memory. */
  get upNext(): BufferedEvent | undefined {
    return this.#queue.peek();
  }

  /** The offset to read the log from; null: the tail gives the cursor everything. */
  get readFrom(): number | null {
    return this.#readFrom;
  }

  /** Events from this offset on may not have begun; null: all below the tail have. */
  get unreadFrom(): number | null {
    return this.#queue.peek()?.offset ?? this.#readFrom;
  }

  /** Whether the record on the log has no offset of unread events, so that a crash now could repeat or lose some. */
  get uncovered(): boolean {
    return this.#recordedUnreadFrom === null;
  }

  /** Whether failed deliveries move out of the position when there are many. */
  protected get setsAside(): boolean {
    return !this.subscription.webhook.ordered;
  }

  get stopped(): boolean {
    return this.subscription.closed || this.subscription.webhook.stopped;
  }

  /** Whether the receiver answers, judged by the log: something was delivered, and nothing waits for a retry. */
  get hasAnswered(): boolean {
    const { counters, open } = this.#position;
    return counters.delivered > 0 && this.aside.size === 0 && open.every(({ attempts }) => attempts === 0);
  }

  /** A failed head blocks an ordered cursor; too many unfinished events block any cursor. */
  get blocked(): boolean {
    const { open } = this.#position;
    if (this.stopped || this.subscription.opening || open.length >= openMax) return true;
    return this.subscription.webhook.ordered && open.some((delivery) => delivery.attempts > 0);
  }

  /** Whether a first attempt could start now, possibly with an event that must still be read. */
  get startable(): boolean {
    if ((this.#queue.length === 0 && this.#readFrom === null) || this.blocked) return false;
    return !this.subscription.webhook.ordered || this.#position.open.length === 0;
  }

  /** Whether the tail's event at `offset` would be queued here: only then is it worth holding. */
  takesFromTail(offset: number): boolean {
    return offset >= this.#joinedAt && this.#readFrom === null && !this.blocked;
  }

  /** Queues an event from the tail that the cursor takes. */
  offer(event: BufferedEvent): void {
    this.#enqueue(event);
  }

  /** Notes an event from the tail that the cursor does not take: it is read later, unless already accounted for. */
  miss(offset: number): void {
    if (offset >= this.#joinedAt && this.#readFrom === null) this.#readFrom = offset;
  }

  /** Queues an event that was read from the log, in order. */
  catchUp(event: BufferedEvent): void {
    this.#enqueue(event);
    this.#readFrom = event.offset + 1;
  }

  /** Passes over an event that the filter leaves out; it is counted once the events before it have begun. */
  passOver(event: EmittedRecord): this {
    this.#passed ??= new PassedEvents();
    this.#passed.add(event);
    if (this.#readFrom !== null) this.#readFrom = event.offset + 1;
    this.#countPassed(this.#passed);
    return this;
  }

  /** The log was read up to `offset` for this cursor. */
  readUpTo(offset: number): void {
    this.#readFrom = offset;
  }

  /** Joins the tail, which gives the cursor everything from `offset` on. */
  join(offset: number): void {
    this.#readFrom = null;
    this.#joinedAt = offset;
  }

  /** Drops the queued events; they are read from the log later. */
  fallBehind(): void {
    this.#readFrom = this.unreadFrom;
    for (const event of this.#queue.drain()) this.#buffer.release(event);
    this.#passed?.clear();
    this.queuedBytes = 0;
  }

  /** Takes the next event for its first attempt. */
  begin(at: Millis): BufferedEvent | undefined {
    const event = this.#shift();
    if (event === undefined) return undefined;
    this.begun++;
    this.#position = begin(this.#position, event.offset, at);
    this.#countPassed(this.#passed);
    return event;
  }

  /** Drops the next event, because it was deleted. */
  expireNext(): void {
    const event = this.#shift();
    if (event === undefined) return;
    this.#position = overtaken(this.#position, { count: 1, next: event.offset + 1, as: 'deleted' });
    this.#countPassed(this.#passed);
  }

  /** An unordered cursor moves failed deliveries out of the position when there are many: every flush writes it. */
  postpone(offset: number, until: Postponed): void {
    if (this.aside.postpone(offset, until)) return;
    this.#position = postpone(this.#position, offset, until);
    if (this.setsAside) this.#setAside(failedInHeadMax);
    if (this.blocked) this.fallBehind();
  }

  finish(offset: number, as: Finish): void {
    const aside = this.aside.finish(offset);
    this.#position = aside ? counted(this.#position, as) : finish(this.#position, offset, as);
    if (as === 'parked') this.lately?.returns(offset);
  }

  /** Gives up at most `max` begun events below `offset`; returns how many. */
  expireBegun(offset: number, max: number): number {
    const expired = [...this.unfinished()].filter((delivery) => delivery.offset < offset).slice(0, max);
    for (const delivery of expired) this.finish(delivery.offset, 'overtaken');
    return expired.length;
  }

  /** Gives up `count` events that have not begun, and goes on at `next`. The queue must be empty. */
  expireUnread(count: number, next: number): void {
    this.#position = overtaken(this.#position, { count, next });
    this.#readFrom = next;
  }

  /** By a step that touches no event which is queued here. */
  change(step: (position: CursorPosition) => CursorPosition): void {
    this.#position = step(this.#position);
  }

  /** Gives up an event from the tail; false: it was already accounted for, or earlier events must come first. */
  expireFromTail(offset: number): boolean {
    if (offset < this.#joinedAt || this.unreadFrom !== null) return false;
    this.#position = overtaken(this.#position, { count: 1, next: offset + 1 });
    return true;
  }

  /** The delivery at `offset`, if it has begun and is not finished. */
  openAt(offset: number): OpenDelivery | undefined {
    return this.aside.get(offset) ?? this.#position.open.find((one) => one.offset === offset);
  }

  attemptsAt(offset: number): number | undefined {
    return this.openAt(offset)?.attempts;
  }

  /** Failed deliveries were already overtaken, so they are set aside; the next event waits for those in flight. */
  becomeOrdered(): void {
    this.#setAside(0);
  }

  /** Deliveries that have begun and are not finished. */
  *unfinished(): Generator<OpenDelivery> {
    yield* this.#position.open;
    yield* this.aside.all();
  }

  /** Notes that its current state goes to the log. */
  recorded(): void {
    this.#recordedUnreadFrom = this.unreadFrom;
  }

  #setAside(max: number): void {
    for (const delivery of failedBeyond(this.#position, max)) {
      this.aside.add(delivery);
      this.#position = setAside(this.#position, delivery.offset);
    }
  }

  #countPassed(passed: PassedEvents | undefined): void {
    const run = passed?.takeBefore(this.#queue.peek()?.offset);
    if (run === undefined) return;
    this.#position = passedOver(this.#position, run);
    this.seen.eventId = run.eventId;
  }

  #shift(): BufferedEvent | undefined {
    const event = this.#queue.shift();
    if (event === undefined) return undefined;
    this.#buffer.release(event);
    this.queuedBytes -= sizeOf(event);
    this.seen.eventId = event.eventId;
    return event;
  }

  #enqueue(event: BufferedEvent): void {
    this.#buffer.hold(event);
    this.queuedBytes += sizeOf(event);
    this.#queue.push(event);
    this.#passed?.cut();
  }
}
