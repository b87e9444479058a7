// A replay's own place in one emitter's events: always behind, up to its end, and apart from the subscription's place.
import type { Finish } from '../../../domain/delivery/cursor.ts';
import { finishedOf } from '../../../domain/delivery/cursor.ts';
import { hasEnded, replayOpenMax } from '../../../domain/delivery/replay/replay.ts';
import type { Millis } from '../../../domain/message.ts';
import type { BufferedEvent, EventBuffer } from '../cursors/buffer.ts';
import { EmitterCursor } from '../cursors/emitter-cursor.ts';
import type { Subscription } from '../listeners/subscription.ts';
import type { Replay } from './replay.ts';
import { numberOf, type Selection } from './selection.ts';

/** Starts that were missed while a timer was late are made up for, for this long at most. */
const lateMs = 50;

export interface ReplayCursorOptions {
  readonly subscription: Subscription;
  readonly replay: Replay;
  readonly end: number;
  readonly buffer: EventBuffer;
  /** Its rate lets the next event begin. */
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
  /** Whether it is known what may be sent. */
  ready = false;
  /** Events that stood parked and that it has delivered since its last record. */
  unparked = 0;
  /** Numbers of open events that stand parked, by offset. */
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

  /** What is to be sent, and what stands parked. */
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

  /** Nothing waits apart from its record: it waits itself instead. */
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

  /** What the filter did not want in its time is no part of it. */
  override passOver(): this {
    return this;
  }

  override readUpTo(offset: number): void {
    if (offset >= this.#end) super.join(offset);
    else super.readUpTo(offset);
  }

  /** What the tail brings is no part of it. */
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

  /** Remembers of an open event whether it stands parked. */
  note({ offset, eventId }: BufferedEvent): void {
    const number = numberOf(eventId);
    if (this.selection?.parked.has(number) === true) this.#parkedOpen.set(offset, number);
  }

  override finish(offset: number, as: Finish): void {
    super.finish(offset, as);
    const number = this.#parkedOpen.get(offset);
    this.#parkedOpen.delete(offset);
    if (as === 'delivered' && number !== undefined) this.#unpark(number);
  }

  /** Counts what was gone before it was read, and stops its timer. */
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

  /** Once, whichever of several replays delivers it first. */
  #unpark(number: number): void {
    if (hasEnded(this.replay.state) || this.selection?.parked.has(number) !== true) return;
    for (const other of this.own.replays ?? [])
      if (other instanceof ReplayCursor && other.emitterId === this.emitterId) other.unparkedElsewhere(number);
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
