// Keeps a replay's position in the events of one source, or of every source in the partition, up to the replay's end.
import { isEverySource } from '../../../domain/delivery/matching.ts';
import type { FinishReason } from '../../../domain/delivery/cursor.ts';
import { finishedOf } from '../../../domain/delivery/cursor.ts';
import { replayOpenMax } from '../../../domain/delivery/replay/replay.ts';
import type { Millis } from '../../../domain/message.ts';
import { RecentParking } from '../cursors/recent-parking.ts';
import type { BufferedEvent, EventBuffer } from '../events/buffer.ts';
import { SourceCursor } from '../cursors/source-cursor.ts';
import { filtersKnownFrom } from '../filters/subscription-filters.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { SubscriptionTarget } from '../targets/target.ts';
import type { Replay } from './followed-replay.ts';
import { numberedEvent, Selection, timedEvent, type TimedEvent } from './selecting/selection.ts';

/** After a late timer, at most this much time of missed starts is made up for. */
const lateMs = 50;

export interface ReplayCursorOptions {
  readonly subscription: Subscription;
  readonly replay: Replay;
  readonly end: number;
  readonly buffer: EventBuffer;
  /** Called when the replay's rate allows the next event to begin. */
  readonly onDue: (cursor: ReplayCursor) => void;
}

export interface ParkChange {
  readonly event: TimedEvent;
  readonly offset: number;
  readonly isParked: boolean;
}

export class ReplayCursor extends SourceCursor {
  override readonly kind = 'replay';
  override readonly replayId: string;
  readonly replay: Replay;
  readonly ownSubscription: Subscription;
  readonly #end: number;
  readonly #onDue: (cursor: ReplayCursor) => void;
  #selection: Selection | undefined;
  /** Events that became parked, or stopped being parked, before the events to send were known. */
  #earlyChanges: ParkChange[] = [];
  #isReady = false;
  #ended = false;
  /** The times of parked events, by source, that it has delivered since its last record. */
  readonly unparked = new Map<string, Millis[]>();
  /** Open events that are parked, by offset. */
  readonly #parkedOpen = new Map<number, TimedEvent>();
  /** For a replay of every source: the source of each open event, by offset. */
  readonly #sourcesOpen = new Map<number, string>();
  #nextAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ subscription, replay, end, buffer, onDue }: ReplayCursorOptions) {
    const { next } = replay.position;
    super(subscription, replay.order.emitterId, {
      position: replay.position,
      behindFrom: next < end ? next : null,
      buffer,
    });
    this.replayId = replay.order.replayId;
    this.ownSubscription = subscription;
    this.replay = replay;
    this.#end = end;
    this.#onDue = onDue;
  }

  /** Whether it is for every source in its partition. */
  get isForEverySource(): boolean {
    return isEverySource(this.emitterId);
  }

  isFor(emitterId: string): boolean {
    return this.isForEverySource || this.emitterId === emitterId;
  }

  /** Whether the events to send are known, and may be sent. */
  get isReady(): boolean {
    return this.#isReady && !this.#ended;
  }

  /** Whether it has ended, and none of its attempts is in flight any more. */
  get hasDrained(): boolean {
    return this.#ended && (this.inFlight?.size ?? 0) === 0;
  }

  /** The events to send, and those that are parked. */
  get selection(): Selection | undefined {
    return this.#selection;
  }

  setSelection(selection: Selection): void {
    this.#selection = selection;
  }

  /** Call when the events to send are known. */
  start(): void {
    this.#isReady = true;
    const earlyChanges = this.#earlyChanges;
    this.#earlyChanges = [];
    for (const change of earlyChanges) this.#applyParkChange(change);
  }

  /** Call when an event becomes parked, or stops being parked. */
  noteParkChange(change: ParkChange): void {
    if (change.offset >= this.#end) return;
    if (!this.#isReady) this.#earlyChanges.push(change);
    else this.#applyParkChange(change);
  }

  /** Notes such an event. A replay of every event needs no selection until one of them is parked. */
  #applyParkChange({ event, offset, isParked }: ParkChange): void {
    if (!isParked) return this.#selection?.unpark(event);
    const { subscriptionId } = this.replay.order;
    this.#selection ??= new Selection({ subscriptionId, only: 'all', sources: new Map() });
    this.#selection.park(event);
    if (this.openAt(offset) !== undefined) this.#parkedOpen.set(offset, event);
  }

  override get stopped(): boolean {
    return super.stopped || this.replay.state !== 'running';
  }

  override get isBlocked(): boolean {
    if (!this.isReady || this.position.open.length >= replayOpenMax) return true;
    return this.isForEverySource ? this.stopped || this.subscription.opening : super.isBlocked;
  }

  override get canStart(): boolean {
    if (this.#timer !== undefined) return false;
    return this.isForEverySource ? this.#canStartNext : super.canStart;
  }

  /** Each source is in order: the next event waits while one of the same source is unfinished. */
  get #canStartNext(): boolean {
    if ((this.queued === 0 && this.readFrom === null) || this.isBlocked) return false;
    const next = this.nextEvent?.emitterId;
    return next === undefined || !this.subscription.webhook.ordered || !this.#isOpen(next);
  }

  #isOpen(emitterId: string): boolean {
    for (const open of this.#sourcesOpen.values()) if (open === emitterId) return true;
    return false;
  }

  /** A replay keeps failed deliveries in its position and waits for them. */
  protected override get movesOutFailed(): boolean {
    return false;
  }

  /** Whether every event up to its end is finished. */
  get isOver(): boolean {
    return this.isReady && this.readFrom === null && this.queued === 0 && this.position.open.length === 0;
  }

  override queueFromLog(event: BufferedEvent, emitted?: unknown): void {
    // The filters of older events are not kept any more: such events count as given up in the end.
    if (event.offset < filtersKnownFrom(this.subscription)) return;
    if (event.offset < this.#end && this.selection?.includes(numberedEvent(event)) !== false)
      super.queueFromLog(event, emitted);
  }

  /** Events that the filter left out at their time are not part of the replay. */
  override skipFiltered(): this {
    return this;
  }

  override markReadTo(offset: number): void {
    if (offset >= this.#end) super.joinTail(offset);
    else super.markReadTo(offset);
  }

  /** Joins the tail only at its end: events from the tail are not part of the replay. */
  override joinTail(offset: number): void {
    if (offset >= this.#end) super.joinTail(offset);
  }

  override begin(at: Millis): BufferedEvent | undefined {
    const event = super.begin(at);
    if (event === undefined) return undefined;
    this.noteOpen(event);
    this.#pace();
    return event;
  }

  /** Remembers whether an open event is parked, and its source. */
  noteOpen(event: BufferedEvent): void {
    const { offset, emitterId } = event;
    if (this.isForEverySource) this.#sourcesOpen.set(offset, emitterId);
    if (this.selection?.isParked(numberedEvent(event)) === true) this.#parkedOpen.set(offset, timedEvent(event));
  }

  override finish(offset: number, as: FinishReason): void {
    super.finish(offset, as);
    this.#sourcesOpen.delete(offset);
    // An event that was given up while its attempt is in flight: `attemptEnded` is called when that attempt ends.
    if (this.inFlight?.has(offset) !== true) this.attemptEnded(offset, as === 'delivered');
  }

  /** Call when the event's last attempt has ended, perhaps after the event was given up. */
  attemptEnded(offset: number, isDelivered: boolean): void {
    const parked = this.#parkedOpen.get(offset);
    this.#parkedOpen.delete(offset);
    if (isDelivered && parked !== undefined) this.#unpark(parked, offset);
  }

  /** Counts the events that were gone before they were read, and stops the timer. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.fallBehind();
    const { state, total } = this.replay;
    const missing = (total ?? 0) - finishedOf(this.position.counters);
    const isSent = this.replay.order.dryRun !== true;
    if (state === 'done' && isSent && missing > 0) this.expireUnread(missing, this.#end);
  }

  /** Counts a parked event once, even if several replays deliver it. */
  #unpark(event: TimedEvent, offset: number): void {
    const { emitterId, time } = event;
    if (this.selection?.isParked(event) !== true) return;
    notifyReplays(this.ownSubscription, { event, offset, isParked: false });
    const cursor = this.ownSubscription.cursors?.get(emitterId);
    if (cursor !== undefined)
      (cursor.recentParking ??= new RecentParking()).noteUnparked({ offset, number: event.number });
    const times = this.unparked.get(emitterId);
    if (times === undefined) this.unparked.set(emitterId, [time]);
    else times.push(time);
  }

  #pace(): void {
    const { rate, part } = this.replay.order;
    if (rate === null) return;
    const gapMs = (1_000 * (part?.of ?? 1)) / rate;
    const now = performance.now();
    this.#nextAt = Math.max(this.#nextAt, now - lateMs) + gapMs;
    if (this.#nextAt <= now) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#onDue(this);
    }, this.#nextAt - now);
  }
}

/** Informs the replays whether an event is parked: a replay that delivers a parked event counts it once. */
export function notifyReplays({ replays }: Pick<SubscriptionTarget, 'replays'>, change: ParkChange): void {
  for (const replay of replays ?? [])
    if (replay instanceof ReplayCursor && replay.isFor(change.event.emitterId)) replay.noteParkChange(change);
}

/** Removes an ended cursor, but only after its last attempt: until then it can still deliver a parked event. */
export function removeIfDrained(cursor: ReplayCursor): void {
  if (cursor.hasDrained) cursor.ownSubscription.replays?.delete(cursor);
}
