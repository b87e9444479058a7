// Keeps one subscription's position in one source's events: what is queued, open, unread, and not on the log yet.
import type { CursorPosition, FinishReason, RetryTime } from '../../../domain/delivery/cursor.ts';
import { beginNext, countFinished, cursorKey, failedBeyond, failedInlineMax } from '../../../domain/delivery/cursor.ts';
import { finish, openDeliveriesMax, expireUnbegun, skipFiltered, postpone } from '../../../domain/delivery/cursor.ts';
import { removeOpen } from '../../../domain/delivery/cursor.ts';
import type { OpenDelivery } from '../../../domain/delivery/messages.ts';
import type { Millis } from '../../../domain/message.ts';
import type { RecentParking } from './recent-parking.ts';
import type { KeyOrder } from '../order/key-order.ts';
import { EventQueue } from '../reading/event-queue.ts';
import type { PendingRecord } from '../outcomes/completion-records.ts';
import { initialReportState, type ReportState } from '../outcomes/cursor-report.ts';
import type { SubscriptionTarget } from '../targets/target.ts';
import type { LaneEntry } from '../lanes/lane.ts';
import type { AttemptKind } from '../lanes/reputation.ts';
import type { SignedMessage } from '../targets/request.ts';
import type { BufferedEvent, EmittedRecord } from '../events/buffer.ts';
import type { CursorStart } from './cursor-start.ts';
import { ReadAhead } from './read-ahead.ts';
import { WaitingRetries } from './waiting-retries.ts';

export class SourceCursor {
  readonly subscription: SubscriptionTarget;
  readonly emitterId: string;
  readonly key: string;
  /** The kind of slots that its first attempts take. */
  readonly kind: AttemptKind = 'first';
  /** The replay to which the cursor belongs; undefined: it is the subscription's own cursor. */
  readonly replayId: string | undefined = undefined;
  /** Attempts made since the last flush, in order. */
  pending: PendingRecord[] = [];
  pendingBytes = 0;
  /** Its entry in its webhook's lane; `isInLane`: the entry waits there. */
  laneEntry: LaneEntry | undefined;
  isInLane = false;
  /** The next event's message, if it was signed ahead. */
  signedAhead: SignedMessage | undefined;
  /** How much to read from the log while it is behind. */
  readonly readAhead = new ReadAhead();
  /** Events taken from the queue in this process. */
  begunCount = 0;
  /** Deliveries that wait for a retry outside the position, in separate records. */
  readonly retries = new WaitingRetries();
  /** Offsets of retries that became due while nothing was sent to the webhook. */
  suspended: Set<number> | undefined;
  /** Offsets of attempts in flight, and of those whose delivery was given up in the meantime. */
  inFlight: Set<number> | undefined;
  discarded: Set<number> | undefined;
  /** Undefined until the first event of the cursor stops being parked. */
  recentParking: RecentParking | undefined;
  /** What its records report to users. */
  readonly reportState: ReportState;
  /** Its order by key; undefined: there is none, as on most cursors. */
  keyOrder: KeyOrder | undefined;
  /** Keys of lines of a former order whose records must still be removed. */
  endedLines: string[] = [];
  readonly #queue: EventQueue;
  protected currentPosition: CursorPosition;
  /** Events below this offset were accounted for when the cursor joined the tail. */
  #joinedAt: number;
  #readFrom: number | null;
  /** `unreadFrom` as the cursor's record on the log has it. */
  #recordedUnreadFrom: number | null;

  constructor(subscription: SubscriptionTarget, emitterId: string, { position, behindFrom, buffer }: CursorStart) {
    this.subscription = subscription;
    this.emitterId = emitterId;
    this.key = cursorKey(subscription.subscriptionId, emitterId);
    this.#queue = new EventQueue(buffer);
    this.currentPosition = position;
    this.reportState = initialReportState(position);
    this.#joinedAt = position.next;
    this.#readFrom = behindFrom;
    this.#recordedUnreadFrom = behindFrom;
  }

  get position(): CursorPosition {
    return this.currentPosition;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get queuedBytes(): number {
    return this.#queue.bytes;
  }

  /** The next event, when it is in memory. */
  get nextEvent(): BufferedEvent | undefined {
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
  get needsUnreadRecord(): boolean {
    return this.#recordedUnreadFrom === null;
  }

  /** Whether each event waits until the one before it is finished. */
  protected get isStrict(): boolean {
    return this.subscription.webhook.ordered;
  }

  /** Whether failed deliveries move out of the position when there are many. */
  protected get movesOutFailed(): boolean {
    return !this.isStrict;
  }

  get stopped(): boolean {
    return this.subscription.closed || this.subscription.webhook.stopped;
  }

  /** Whether the receiver answers, as far as the log shows: something was delivered, and nothing waits for a retry. */
  get hasAnswered(): boolean {
    const { counters, open } = this.currentPosition;
    return counters.delivered > 0 && this.retries.size === 0 && open.every(({ attempts }) => attempts === 0);
  }

  /** A failed head blocks an ordered cursor; too many unfinished events block any cursor. */
  get isBlocked(): boolean {
    const { open } = this.currentPosition;
    if (this.stopped || this.subscription.opening || open.length >= openDeliveriesMax) return true;
    return this.isStrict && open.some((delivery) => delivery.attempts > 0);
  }

  /** Whether a first attempt could start now, perhaps with an event that must still be read. */
  get canStart(): boolean {
    if ((this.#queue.length === 0 && this.#readFrom === null) || this.isBlocked) return false;
    return !this.isStrict || this.currentPosition.open.length === 0;
  }

  /** Whether the tail's event at `offset` would be queued here: only then is it worth holding. */
  acceptsFromTail(offset: number): boolean {
    return offset >= this.#joinedAt && this.#readFrom === null && !this.isBlocked;
  }

  /** Queues an event from the tail; call only if `acceptsFromTail` is true. */
  queueFromTail(event: BufferedEvent, _emitted?: unknown): void {
    this.#queue.push(event);
  }

  /** Notes an event from the tail that is not queued: it is read later, unless already accounted for. */
  markUnread(offset: number): void {
    if (offset >= this.#joinedAt && this.#readFrom === null) this.#readFrom = offset;
  }

  /** Queues an event that was read from the log, in order. */
  queueFromLog(event: BufferedEvent, _emitted?: unknown): void {
    this.#queue.push(event);
    this.#readFrom = event.offset + 1;
  }

  /** Passes over an event that the filter leaves out; it is counted once the events before it have begun. */
  skipFiltered(event: EmittedRecord): this {
    this.#queue.addFiltered(event);
    if (this.#readFrom !== null) this.#readFrom = event.offset + 1;
    this.#countFiltered();
    return this;
  }

  /** Call when the log was read up to `offset` for this cursor. */
  markReadTo(offset: number): void {
    this.#readFrom = offset;
  }

  /** Joins the tail, which brings everything from `offset` on. */
  joinTail(offset: number): void {
    this.#readFrom = null;
    this.#joinedAt = offset;
  }

  /** Drops the queued events; they are read from the log later. */
  fallBehind(): void {
    this.#readFrom = this.unreadFrom;
    this.#queue.clear();
  }

  /** Moves events that cannot begin yet out of the queue, so that `nextEvent` can; returns whether there were any. */
  moveToLines(): boolean {
    return false;
  }

  /** Takes the next event for its first attempt. */
  begin(at: Millis): BufferedEvent | undefined {
    return this.takeNext((position, event) => beginNext(position, event.offset, at, this.keyOf(event)));
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
    this.reportState.eventId = event.eventId;
    this.begunCount++;
    this.currentPosition = step(this.currentPosition, event);
    this.#countFiltered();
    return event;
  }

  /** Drops the next event, because it was deleted. */
  dropNext(): void {
    this.takeNext((position, { offset }) => expireUnbegun(position, { count: 1, next: offset + 1, as: 'deleted' }));
  }

  /** An unordered cursor moves failed deliveries out of the position when there are many: every flush writes it. */
  postpone(offset: number, until: RetryTime): void {
    if (this.retries.postpone(offset, until)) return;
    this.currentPosition = postpone(this.currentPosition, offset, until);
    if (this.movesOutFailed) this.#moveOutFailed(failedInlineMax);
    if (this.isBlocked) this.fallBehind();
  }

  finish(offset: number, as: FinishReason): void {
    const at = this.currentPosition;
    this.currentPosition = this.retries.finish(offset) ? countFinished(at, as) : finish(at, offset, as);
    if (as === 'parked') this.recentParking?.noteParked(offset);
  }

  /** Drops `count` events that have not begun, and continues at `next`. The queue must be empty. */
  expireUnread(count: number, next: number): void {
    this.currentPosition = expireUnbegun(this.currentPosition, { count, next });
    this.#readFrom = next;
  }

  /** Replaces the position. The step must not affect an event that is queued here. */
  change(step: (position: CursorPosition) => CursorPosition): void {
    this.currentPosition = step(this.currentPosition);
  }

  /** Gives up an event from the tail; false: it was already accounted for, or earlier events must come first. */
  expireFromTail(offset: number): boolean {
    if (offset < this.#joinedAt || this.unreadFrom !== null) return false;
    this.currentPosition = expireUnbegun(this.currentPosition, { count: 1, next: offset + 1 });
    return true;
  }

  /** The delivery at `offset`, if it has begun and is not finished. */
  openAt(offset: number): OpenDelivery | undefined {
    return this.retries.get(offset) ?? this.currentPosition.open.find((one) => one.offset === offset);
  }

  attemptsAt(offset: number): number | undefined {
    return this.openAt(offset)?.attempts;
  }

  /** Call when the webhook's order has changed. Sets aside what failed without an order: later events were sent. */
  applyOrderChange(wasOrdered: boolean): void {
    if (!wasOrdered && this.subscription.webhook.ordered) this.#moveOutFailed(0);
  }

  /** Deliveries that have begun and are not finished. */
  *unfinished(): Generator<OpenDelivery> {
    yield* this.currentPosition.open;
    yield* this.retries.all();
  }

  /** Notes that its current state is being written to the log. */
  markRecorded(): void {
    this.#recordedUnreadFrom = this.unreadFrom;
    this.#compact();
  }

  /** There can be millions of idle cursors: each frees memory that the next event can allocate again. */
  #compact(): void {
    this.retries.compact();
    this.#queue.compact();
    if (this.inFlight?.size === 0) this.inFlight = undefined;
    if (!this.isInLane) this.laneEntry = undefined;
  }

  #moveOutFailed(max: number): void {
    for (const delivery of failedBeyond(this.currentPosition, max)) {
      this.retries.add(delivery);
      this.currentPosition = removeOpen(this.currentPosition, delivery.offset);
    }
  }

  #countFiltered(): void {
    const run = this.#queue.takeFiltered();
    if (run === undefined) return;
    this.currentPosition = skipFiltered(this.currentPosition, run);
    this.reportState.eventId = run.eventId;
  }
}
