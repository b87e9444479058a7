// Keeps one subscription's position in one source's events: what is queued, open, unread, and not on the log yet.
import type { CursorPosition, Finish, Postponed } from '../../../domain/delivery/cursor.ts';
import { begin, counted, cursorKey, failedBeyond, failedInHeadMax } from '../../../domain/delivery/cursor.ts';
import { finish, openMax, overtaken, passedOver, postpone } from '../../../domain/delivery/cursor.ts';
import { setAside } from '../../../domain/delivery/cursor.ts';
import type { OpenDelivery } from '../../../domain/delivery/messages.ts';
import type { Millis } from '../../../domain/message.ts';
import type { Lately } from './lately.ts';
import type { KeyOrder } from '../order/key-order.ts';
import { EventQueue } from '../reading/event-queue.ts';
import type { Pending } from '../outcomes/completed.ts';
import { seenAt, type Seen } from '../outcomes/cursor-report.ts';
import type { SubscriptionTarget } from '../targets/target.ts';
import type { Waiting } from '../lanes/lane.ts';
import type { AttemptKind } from '../lanes/reputation.ts';
import type { SignedMessage } from '../targets/request.ts';
import type { BufferedEvent, EmittedRecord } from '../events/buffer.ts';
import type { CursorPlace } from './cursor-place.ts';
import { ReadAhead } from './read-ahead.ts';
import { SetAside } from './set-aside.ts';

export class SourceCursor {
  readonly subscription: SubscriptionTarget;
  readonly emitterId: string;
  readonly key: string;
  /** The kind of places that its first attempts take. */
  readonly kind: AttemptKind = 'first';
  /** The replay to which the cursor belongs; undefined: it is the subscription's own cursor. */
  readonly replayId: string | undefined = undefined;
  /** Attempts made since the last flush, in order. */
  pending: Pending[] = [];
  pendingBytes = 0;
  /** Its entry in its webhook's lane; `linedUp`: the entry waits there. */
  turn: Waiting | undefined;
  linedUp = false;
  /** The next event's message, if it was signed ahead. */
  signedAhead: SignedMessage | undefined;
  /** How much to read from the log while it is behind. */
  readonly readAhead = new ReadAhead();
  /** Events taken from the queue in this process. */
  begun = 0;
  /** Deliveries that wait for a retry outside the position, in separate records. */
  readonly aside = new SetAside();
  /** Offsets of retries that became due while nothing was sent to the webhook. */
  suspended: Set<number> | undefined;
  /** Offsets of attempts in flight, and of those whose delivery was given up in the meantime. */
  trying: Set<number> | undefined;
  discarded: Set<number> | undefined;
  /** Undefined until the first event of the cursor stops being parked. */
  lately: Lately | undefined;
  /** What its records report to users. */
  readonly seen: Seen;
  /** Its order by key; undefined: there is none, as on most cursors. */
  order: KeyOrder | undefined;
  /** Keys of lines of a former order whose records must still be removed. */
  endedLines: string[] = [];
  readonly #queue: EventQueue;
  protected place: CursorPosition;
  /** Events below this offset were accounted for when the cursor joined the tail. */
  #joinedAt: number;
  #readFrom: number | null;
  /** `unreadFrom` as the cursor's record on the log has it. */
  #recordedUnreadFrom: number | null;

  constructor(subscription: SubscriptionTarget, emitterId: string, { position, behindFrom, buffer }: CursorPlace) {
    this.subscription = subscription;
    this.emitterId = emitterId;
    this.key = cursorKey(subscription.subscriptionId, emitterId);
    this.#queue = new EventQueue(buffer);
    this.place = position;
    this.seen = seenAt(position);
    this.#joinedAt = position.next;
    this.#readFrom = behindFrom;
    this.#recordedUnreadFrom = behindFrom;
  }

  get position(): CursorPosition {
    return this.place;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get queuedBytes(): number {
    return this.#queue.bytes;
  }

  /** The next event, when it is in memory. */
  get upNext(): BufferedEvent | undefined {
    return this.#queue.first;
  }

  /** The offset to read the log from; null: the tail brings everything. */
  get readFrom(): number | null {
    return this.#readFrom;
  }

  /** Events from this offset on might not have begun; null: all below the tail have. */
  get unreadFrom(): number | null {
    return this.#queue.first?.offset ?? this.#readFrom;
  }

  /** Whether the record on the log has no offset of unread events, so that a crash now could repeat or lose some. */
  get uncovered(): boolean {
    return this.#recordedUnreadFrom === null;
  }

  /** Whether each event waits until the one before it is finished. */
  protected get isStrict(): boolean {
    return this.subscription.webhook.ordered;
  }

  /** Whether failed deliveries move out of the position when there are many. */
  protected get setsAside(): boolean {
    return !this.isStrict;
  }

  get stopped(): boolean {
    return this.subscription.closed || this.subscription.webhook.stopped;
  }

  /** Whether the receiver answers, as far as the log shows: something was delivered, and nothing waits for a retry. */
  get hasAnswered(): boolean {
    const { counters, open } = this.place;
    return counters.delivered > 0 && this.aside.size === 0 && open.every(({ attempts }) => attempts === 0);
  }

  /** A failed head blocks an ordered cursor; too many unfinished events block any cursor. */
  get blocked(): boolean {
    const { open } = this.place;
    if (this.stopped || this.subscription.opening || open.length >= openMax) return true;
    return this.isStrict && open.some((delivery) => delivery.attempts > 0);
  }

  /** Whether a first attempt could start now, perhaps with an event that must still be read. */
  get startable(): boolean {
    if ((this.#queue.length === 0 && this.#readFrom === null) || this.blocked) return false;
    return !this.isStrict || this.place.open.length === 0;
  }

  /** Whether the tail's event at `offset` would be queued here: only then is it worth holding. */
  takesFromTail(offset: number): boolean {
    return offset >= this.#joinedAt && this.#readFrom === null && !this.blocked;
  }

  /** Queues an event from the tail; call only if `takesFromTail` is true. */
  offer(event: BufferedEvent, _emitted?: unknown): void {
    this.#queue.push(event);
  }

  /** Notes an event from the tail that is not queued: it is read later, unless already accounted for. */
  miss(offset: number): void {
    if (offset >= this.#joinedAt && this.#readFrom === null) this.#readFrom = offset;
  }

  /** Queues an event that was read from the log, in order. */
  catchUp(event: BufferedEvent, _emitted?: unknown): void {
    this.#queue.push(event);
    this.#readFrom = event.offset + 1;
  }

  /** Passes over an event that the filter leaves out; it is counted once the events before it have begun. */
  passOver(event: EmittedRecord): this {
    this.#queue.passOver(event);
    if (this.#readFrom !== null) this.#readFrom = event.offset + 1;
    this.#countPassed();
    return this;
  }

  /** Call when the log was read up to `offset` for this cursor. */
  readUpTo(offset: number): void {
    this.#readFrom = offset;
  }

  /** Joins the tail, which brings everything from `offset` on. */
  join(offset: number): void {
    this.#readFrom = null;
    this.#joinedAt = offset;
  }

  /** Drops the queued events; they are read from the log later. */
  fallBehind(): void {
    this.#readFrom = this.unreadFrom;
    this.#queue.clear();
  }

  /** Moves events that cannot begin yet out of the queue, so that `upNext` can; returns whether there were any. */
  settleNext(): boolean {
    return false;
  }

  /** Takes the next event for its first attempt. */
  begin(at: Millis): BufferedEvent | undefined {
    return this.takeNext((position, event) => begin(position, event.offset, at, this.keyOf(event)));
  }

  /** The order key to remember with an event that begins. */
  protected keyOf(_event: BufferedEvent): string | undefined {
    return undefined;
  }

  /** Takes the next event from the queue and numbers it. */
  protected takeNext(
    step: (position: CursorPosition, event: BufferedEvent) => CursorPosition,
  ): BufferedEvent | undefined {
    const event = this.#queue.shift();
    if (event === undefined) return undefined;
    this.seen.eventId = event.eventId;
    this.begun++;
    this.place = step(this.place, event);
    this.#countPassed();
    return event;
  }

  /** Drops the next event, because it was deleted. */
  expireNext(): void {
    this.takeNext((position, { offset }) => overtaken(position, { count: 1, next: offset + 1, as: 'deleted' }));
  }

  /** An unordered cursor moves failed deliveries out of the position when there are many: every flush writes it. */
  postpone(offset: number, until: Postponed): void {
    if (this.aside.postpone(offset, until)) return;
    this.place = postpone(this.place, offset, until);
    if (this.setsAside) this.#setAside(failedInHeadMax);
    if (this.blocked) this.fallBehind();
  }

  finish(offset: number, as: Finish): void {
    const aside = this.aside.finish(offset);
    this.place = aside ? counted(this.place, as) : finish(this.place, offset, as);
    if (as === 'parked') this.lately?.returns(offset);
  }

  /** Drops `count` events that have not begun, and continues at `next`. The queue must be empty. */
  expireUnread(count: number, next: number): void {
    this.place = overtaken(this.place, { count, next });
    this.#readFrom = next;
  }

  /** Replaces the position. The step must not affect an event that is queued here. */
  change(step: (position: CursorPosition) => CursorPosition): void {
    this.place = step(this.place);
  }

  /** Gives up an event from the tail; false: it was already accounted for, or earlier events must come first. */
  expireFromTail(offset: number): boolean {
    if (offset < this.#joinedAt || this.unreadFrom !== null) return false;
    this.place = overtaken(this.place, { count: 1, next: offset + 1 });
    return true;
  }

  /** The delivery at `offset`, if it has begun and is not finished. */
  openAt(offset: number): OpenDelivery | undefined {
    return this.aside.get(offset) ?? this.place.open.find((one) => one.offset === offset);
  }

  attemptsAt(offset: number): number | undefined {
    return this.openAt(offset)?.attempts;
  }

  /** Call when the webhook's order has changed. Sets aside what failed without an order: later events were sent. */
  reorder(wasOrdered: boolean): void {
    if (!wasOrdered && this.subscription.webhook.ordered) this.#setAside(0);
  }

  /** Deliveries that have begun and are not finished. */
  *unfinished(): Generator<OpenDelivery> {
    yield* this.place.open;
    yield* this.aside.all();
  }

  /** Notes that its current state is being written to the log. */
  recorded(): void {
    this.#recordedUnreadFrom = this.unreadFrom;
    this.#rest();
  }

  /** There can be millions of idle cursors: each frees memory that the next event can allocate again. */
  #rest(): void {
    this.aside.rest();
    this.#queue.rest();
    if (this.trying?.size === 0) this.trying = undefined;
    if (!this.linedUp) this.turn = undefined;
  }

  #setAside(max: number): void {
    for (const delivery of failedBeyond(this.place, max)) {
      this.aside.add(delivery);
      this.place = setAside(this.place, delivery.offset);
    }
  }

  #countPassed(): void {
    const run = this.#queue.takePassed();
    if (run === undefined) return;
    this.place = passedOver(this.place, run);
    this.seen.eventId = run.eventId;
  }
}
