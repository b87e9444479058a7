// Keeps a replay's position in the events of one source, or of every source in the partition, up to the replay's end.
import { isEverySource } from '../../../domain/delivery/matching.ts';
import type { Finish } from '../../../domain/delivery/cursor.ts';
import { finishedOf } from '../../../domain/delivery/cursor.ts';
import { replayOpenMax } from '../../../domain/delivery/replay/replay.ts';
import type { Millis } from '../../../domain/message.ts';
import { Lately } from '../cursors/lately.ts';
import type { BufferedEvent, EventBuffer } from '../events/buffer.ts';
import { SourceCursor } from '../cursors/source-cursor.ts';
import { keptFrom } from '../filters/subscription-filters.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { SubscriptionTarget } from '../targets/target.ts';
import type { Replay } from './followed-replay.ts';
import { numbered, Selection, timed, type Timed } from './selecting/selection.ts';

/** After a late timer, at most this much time of missed starts is made up for. */
const lateMs = 50;

export interface ReplayCursorOptions {
  readonly subscription: Subscription;
  readonly replay: Replay;
  readonly end: number;
  readonly buffer: EventBuffer;
  /** Called when the replay's rate allows the next event to begin. */
  readonly due: (cursor: ReplayCursor) => void;
}

export interface Told {
  readonly event: Timed;
  readonly offset: number;
  readonly isParked: boolean;
}

export class ReplayCursor extends SourceCursor {
  override readonly kind = 'replay';
  override readonly replayId: string;
  readonly replay: Replay;
  readonly own: Subscription;
  readonly #end: number;
  readonly #due: (cursor: ReplayCursor) => void;
  #selection: Selection | undefined;
  /** Events that became parked, or stopped being parked, before the events to send were known. */
  #before: Told[] = [];
  #ready = false;
  #ended = false;
  /** The times of parked events, by source, that it has delivered since its last record. */
  readonly unparked = new Map<string, Millis[]>();
  /** Open events that are parked, by offset. */
  readonly #parkedOpen = new Map<number, Timed>();
  /** For a replay of every source: the source of each open event, by offset. */
  readonly #sourcesOpen = new Map<number, string>();
  #nextAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ subscription, replay, end, buffer, due }: ReplayCursorOptions) {
    const { next } = replay.position;
    super(subscription, replay.order.emitterId, {
      position: replay.position,
      behindFrom: next < end ? next : null,
      buffer,
    });
    this.replayId = replay.order.replayId;
    this.own = subscription;
    this.replay = replay;
    this.#end = end;
    this.#due = due;
  }

  /** Whether it is for every source in its partition. */
  get isWide(): boolean {
    return isEverySource(this.emitterId);
  }

  isFor(emitterId: string): boolean {
    return this.isWide || this.emitterId === emitterId;
  }

  /** Whether the events to send are known, and may be sent. */
  get ready(): boolean {
    return this.#ready && !this.#ended;
  }

  /** Whether it has ended, and none of its attempts is in flight any more. */
  get hasLeft(): boolean {
    return this.#ended && (this.trying?.size ?? 0) === 0;
  }

  /** The events to send, and those that are parked. */
  get selection(): Selection | undefined {
    return this.#selection;
  }

  select(selection: Selection): void {
    this.#selection = selection;
  }

  /** Call when the events to send are known. */
  start(): void {
    this.#ready = true;
    const before = this.#before;
    this.#before = [];
    for (const told of before) this.#learn(told);
  }

  /** Call when an event becomes parked, or stops being parked. */
  tell(told: Told): void {
    if (told.offset >= this.#end) return;
    if (!this.#ready) this.#before.push(told);
    else this.#learn(told);
  }

  /** Notes such an event. A replay of every event needs no selection until one of them is parked. */
  #learn({ event, offset, isParked }: Told): void {
    if (!isParked) return this.#selection?.unpark(event);
    const { subscriptionId } = this.replay.order;
    this.#selection ??= new Selection({ subscriptionId, only: 'all', sources: new Map() });
    this.#selection.park(event);
    if (this.openAt(offset) !== undefined) this.#parkedOpen.set(offset, event);
  }

  override get stopped(): boolean {
    return super.stopped || this.replay.state !== 'running';
  }

  override get blocked(): boolean {
    if (!this.ready || this.position.open.length >= replayOpenMax) return true;
    return this.isWide ? this.stopped || this.subscription.opening : super.blocked;
  }

  override get startable(): boolean {
    if (this.#timer !== undefined) return false;
    return this.isWide ? this.#wideStartable : super.startable;
  }

  /** Each source is in order: the next event waits while one of the same source is unfinished. */
  get #wideStartable(): boolean {
    if ((this.queued === 0 && this.readFrom === null) || this.blocked) return false;
    const next = this.upNext?.emitterId;
    return next === undefined || !this.subscription.webhook.ordered || !this.#isOpen(next);
  }

  #isOpen(emitterId: string): boolean {
    for (const open of this.#sourcesOpen.values()) if (open === emitterId) return true;
    return false;
  }

  /** A replay keeps failed deliveries in its position and waits for them. */
  protected override get setsAside(): boolean {
    return false;
  }

  /** Whether every event up to its end is finished. */
  get isOver(): boolean {
    return this.ready && this.readFrom === null && this.queued === 0 && this.position.open.length === 0;
  }

  override catchUp(event: BufferedEvent, emitted?: unknown): void {
    // The filters of older events are not kept any more: such events count as given up in the end.
    if (event.offset < keptFrom(this.subscription)) return;
    if (event.offset < this.#end && this.selection?.takes(numbered(event)) !== false) super.catchUp(event, emitted);
  }

  /** Events that the filter left out at their time are not part of the replay. */
  override passOver(): this {
    return this;
  }

  override readUpTo(offset: number): void {
    if (offset >= this.#end) super.join(offset);
    else super.readUpTo(offset);
  }

  /** Joins the tail only at its end: events from the tail are not part of the replay. */
  override join(offset: number): void {
    if (offset >= this.#end) super.join(offset);
  }

  override begin(at: Millis): BufferedEvent | undefined {
    const event = super.begin(at);
    if (event === undefined) return undefined;
    this.note(event);
    this.#pace();
    return event;
  }

  /** Remembers whether an open event is parked, and its source. */
  note(event: BufferedEvent): void {
    const { offset, emitterId } = event;
    if (this.isWide) this.#sourcesOpen.set(offset, emitterId);
    if (this.selection?.isParked(numbered(event)) === true) this.#parkedOpen.set(offset, timed(event));
  }

  override finish(offset: number, as: Finish): void {
    super.finish(offset, as);
    this.#sourcesOpen.delete(offset);
    // An event that was given up while its attempt is in flight: `attemptEnded` is called when that attempt ends.
    if (this.trying?.has(offset) !== true) this.attemptEnded(offset, as === 'delivered');
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
    const gone = (total ?? 0) - finishedOf(this.position.counters);
    const isSent = this.replay.order.dryRun !== true;
    if (state === 'done' && isSent && gone > 0) this.expireUnread(gone, this.#end);
  }

  /** Counts a parked event once, even if several replays deliver it. */
  #unpark(event: Timed, offset: number): void {
    const { emitterId, time } = event;
    if (this.selection?.isParked(event) !== true) return;
    tellReplays(this.own, { event, offset, isParked: false });
    const own = this.own.cursors?.get(emitterId);
    if (own !== undefined) (own.lately ??= new Lately()).leaves({ offset, number: event.number });
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
      this.#due(this);
    }, this.#nextAt - now);
  }
}

/** Informs the replays whether an event is parked: a replay that delivers a parked event counts it once. */
export function tellReplays({ replays }: Pick<SubscriptionTarget, 'replays'>, told: Told): void {
  for (const replay of replays ?? [])
    if (replay instanceof ReplayCursor && replay.isFor(told.event.emitterId)) replay.tell(told);
}

/** Removes an ended cursor, but only after its last attempt: until then it can still deliver a parked event. */
export function leave(cursor: ReplayCursor): void {
  if (cursor.hasLeft) cursor.own.replays?.delete(cursor);
}
