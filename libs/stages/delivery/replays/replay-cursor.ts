// A replay's own cursor in one emitter's events: always behind the tail, up to its end, apart from the subscription's.
import { numberOfEvent } from '../../../domain/channel/event-id.ts';
import type { Finish } from '../../../domain/delivery/cursor.ts';
import { finishedOf } from '../../../domain/delivery/cursor.ts';
import { hasEnded, replayOpenMax } from '../../../domain/delivery/replay/replay.ts';
import type { Millis } from '../../../domain/message.ts';
import { Lately } from '../asked/lately.ts';
import type { BufferedEvent, EventBuffer } from '../cursors/buffer.ts';
import { EmitterCursor } from '../cursors/emitter-cursor.ts';
import type { Subscription } from '../listeners/subscription.ts';
import type { Replay } from './replay.ts';
import type { Selection } from './selection.ts';

/** After a late timer, at most this much time of missed starts is made up for. */
const lateMs = 50;

export interface ReplayCursorOptions {
  readonly subscription: Subscription;
  readonly replay: Replay;
  readonly end: number;
  readonly buffer: EventBuffer;
  /** The replay's rate allows the next event to begin. */
  readonly due: (cursor: ReplayCursor) => void;
}

export class ReplayCursor extends EmitterCursor {
  override readonly kind = 'replay';
  override readonly replayId: string;
  readonly replay: Replay;
  readonly own: Subscription;
  readonly #end: number;
  readonly #due: (cursor: ReplayCursor) => void;
  #selection: Selection | undefined;
  /** Numbers of parked events that another replay delivered before the selection was known. */
  readonly #unparkedBefore = new Set<number>();
  /** Whether the events to send are known. */
  ready = false;
  /** How many parked events it has delivered since its last record. */
  unparked = 0;
  /** Numbers of open events that are parked, by offset. */
  readonly #parkedOpen = new Map<number, number>();
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

  /** The events to send, and those that are parked. */
  get selection(): Selection | undefined {
    return this.#selection;
  }

  select(selection: Selection): void {
    for (const number of this.#unparkedBefore) selection.parked.delete(number);
    this.#unparkedBefore.clear();
    this.#selection = selection;
  }

  /** Another replay has delivered a parked event. */
  unparkedElsewhere(number: number): void {
    if (this.#selection !== undefined) this.#selection.parked.delete(number);
    else if (!this.ready) this.#unparkedBefore.add(number);
  }

  override get stopped(): boolean {
    return super.stopped || this.replay.state !== 'running';
  }

  override get blocked(): boolean {
    return !this.ready || this.position.open.length >= replayOpenMax || super.blocked;
  }

  override get startable(): boolean {
    return this.#timer === undefined && super.startable;
  }

  /** A replay keeps failed deliveries in its position and waits for them. */
  protected override get setsAside(): boolean {
    return false;
  }

  /** Whether every event up to its end is finished. */
  get isOver(): boolean {
    return this.ready && this.readFrom === null && this.queued === 0 && this.position.open.length === 0;
  }

  override catchUp(event: BufferedEvent): void {
    if (event.offset < this.#end && this.selection?.takes(event.eventId) !== false) super.catchUp(event);
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

  /** Remembers whether an open event is parked. */
  note({ offset, eventId }: BufferedEvent): void {
    const number = numberOfEvent(eventId);
    if (this.selection?.parked.has(number) === true) this.#parkedOpen.set(offset, number);
  }

  override finish(offset: number, as: Finish): void {
    super.finish(offset, as);
    const number = this.#parkedOpen.get(offset);
    this.#parkedOpen.delete(offset);
    if (as === 'delivered' && number !== undefined) this.#unpark(number, offset);
  }

  /** Counts the events that were gone before they were read, and stops the timer. */
  end(): void {
    this.ready = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.fallBehind();
    const { state, total } = this.replay;
    const gone = (total ?? 0) - finishedOf(this.position.counters);
    const isSent = this.replay.order.dryRun !== true;
    if (state === 'done' && isSent && gone > 0) this.expireUnread(gone, this.#end);
  }

  /** Counts a parked event once: only the first of several replays that deliver it. */
  #unpark(number: number, offset: number): void {
    if (hasEnded(this.replay.state) || this.selection?.parked.has(number) !== true) return;
    tellReplays(this.own, this.emitterId, number);
    const own = this.own.cursors?.get(this.emitterId);
    if (own !== undefined) (own.lately ??= new Lately()).leaves(offset);
    this.unparked++;
  }

  #pace(): void {
    const { rate } = this.replay.order;
    if (rate === null) return;
    const now = performance.now();
    this.#nextAt = Math.max(this.#nextAt, now - lateMs) + 1_000 / rate;
    if (this.#nextAt <= now) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#due(this);
    }, this.#nextAt - now);
  }
}

/** An event of this number does not stand parked any more: no replay may count it when it delivers it. */
export function tellReplays({ replays }: Pick<Subscription, 'replays'>, emitterId: string, number: number): void {
  for (const replay of replays ?? [])
    if (replay instanceof ReplayCursor && replay.emitterId === emitterId) replay.unparkedElsewhere(number);
}
