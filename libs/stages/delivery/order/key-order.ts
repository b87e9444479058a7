// Keeps events in order by key on one cursor: which keys have an unfinished event, and the lines of events that wait.
import type { OpenDelivery } from '../../../domain/delivery/messages.ts';
import { orderKeyOf, type OrderKey } from '../../../domain/delivery/order/order-key.ts';
import { bufferedEvent, ofLines } from '../events/buffer.ts';
import type { BufferedEvent, EmittedRecord, EventBuffer } from '../events/buffer.ts';
import { Line, type Numbered } from './line.ts';
import { partsOf, type LinePage } from './line-page.ts';
import { LineRoom } from './line-room.ts';

/** Keys with an unfinished or waiting event: at this many the subscription waits. Each key has two records at most. */
export const keysMax = 1_000;

/** The state of a line in its record on the log. */
export interface LineState {
  readonly first: number;
  readonly sequence: number;
  readonly last: number;
  readonly waiting: number;
}

export class KeyOrder {
  readonly pointer: string;
  readonly #room: LineRoom;
  /** Keys of events that have begun and are not finished; true if an attempt has failed. */
  readonly #heads = new Map<string, boolean>();
  readonly #lines = new Map<string, Line>();
  /** Lines without an unfinished event whose next event is in memory, in the order of their turns ... */
  readonly #ready = new Set<Line>();
  /** ... and those whose next event must be read. */
  readonly #hungry = new Set<Line>();
  readonly #changed = new Set<string>();
  #waiting = 0;

  constructor(pointer: string, buffer: EventBuffer) {
    this.pointer = pointer;
    this.#room = new LineRoom(buffer);
  }

  /** Whether no event is unfinished or waiting. */
  get isEmpty(): boolean {
    return this.#heads.size === 0 && this.#lines.size === 0;
  }

  get isFull(): boolean {
    return this.#heads.size + this.#ready.size + this.#hungry.size >= keysMax;
  }

  /** How many events wait for another one of their key. */
  get waiting(): number {
    return this.#waiting;
  }

  get held(): number {
    return this.#room.held;
  }

  /** How many lines have changed since `takeChanges`. */
  get changed(): number {
    return this.#changed.size;
  }

  get lines(): Iterable<Line> {
    return this.#lines.values();
  }

  /** The line whose turn it is. */
  get ready(): Line | undefined {
    const [line] = this.#ready;
    return line;
  }

  /** Whether a line can continue whose next event must be read. */
  get isHungry(): boolean {
    return this.#hungry.size > 0;
  }

  /** Whether enough is in memory, and a line can continue with it. */
  get isSated(): boolean {
    return this.#ready.size > 0 && this.#room.isOver;
  }

  /** How many records to read for lines. */
  get reach(): number {
    return this.#room.reach;
  }

  /** The offset to read from for lines that can continue; null: no read is needed. */
  get readFrom(): number | null {
    let from = Infinity;
    for (const { unread } of this.#hungry) from = Math.min(from, unread?.offset ?? Infinity);
    return from === Infinity ? null : from;
  }

  keyOf(event: BufferedEvent): string {
    const known = event.orderKeys?.get(this.pointer);
    const { key, former } = known ?? this.note(event, JSON.parse(event.body));
    // Events that the log has under their former key come first.
    return former !== undefined && this.holds(former) ? former : key;
  }

  /** Returns the event's key, and stores it with the event, which other cursors share. */
  note(event: BufferedEvent, emitted: unknown): OrderKey {
    const key = orderKeyOf(emitted, this.pointer);
    event.orderKeys ??= new Map();
    event.orderKeys.set(this.pointer, key);
    return key;
  }

  hasLine(key: string): boolean {
    return this.#lines.has(key);
  }

  /** Whether an event of the key is unfinished or waiting. */
  holds(key: string): boolean {
    return this.#heads.has(key) || this.#lines.has(key);
  }

  begins(key: string): void {
    this.#heads.set(key, false);
    const line = this.#lines.get(key);
    if (line !== undefined) this.#place(line);
  }

  /** Call when the key's event has failed: the events that wait for it are removed from memory. */
  fails(key: string): void {
    this.#heads.set(key, true);
    const line = this.#lines.get(key);
    if (line !== undefined) this.#forget(line);
  }

  /** Call when the key's event is finished: the next one can begin. */
  ends(key: string): void {
    this.#heads.delete(key);
    const line = this.#lines.get(key);
    if (line !== undefined) this.#place(line);
  }

  /** Restores the key of an open delivery from its record. */
  restoreHead({ orderKey, attempts }: OpenDelivery): void {
    if (orderKey !== undefined) this.#heads.set(orderKey, attempts > 0);
  }

  /** Restores a line; call once all heads are restored. */
  restoreLine(key: string, { first, sequence, last, waiting }: LineState): void {
    const line = new Line(key, { offset: first, sequence }, { last, waiting });
    this.#lines.set(key, line);
    this.#waiting += waiting;
    this.#place(line);
  }

  /** Adds an event that waits for another one of its key. */
  add(key: string, { event: queued, sequence }: Numbered): void {
    const line = this.#lines.get(key) ?? new Line(key, null, { last: 0, waiting: 0 });
    const event = ofLines(queued);
    const isHeld = line.mayHold && this.#heads.get(key) !== true && this.#room.takes(event);
    line.add({ event, sequence }, isHeld);
    if (isHeld) this.#room.hold(event);
    this.#lines.set(key, line);
    this.#waiting++;
    this.#place(line);
    this.#changed.add(key);
  }

  /** Takes the next event of a line that is ready: it begins, or is given up. */
  take(line: Line): Numbered | undefined {
    const next = line.take();
    if (next === undefined) return undefined;
    this.#waiting--;
    this.#room.begins(next.event);
    this.#changed.add(line.key);
    // The line moves to the end of the turns.
    this.#ready.delete(line);
    this.#place(line);
    return next;
  }

  /** Removes all events from memory. */
  forget(): void {
    for (const line of this.#lines.values()) this.#forget(line);
  }

  /** Takes a page of the log for the lines that can continue; returns how many expected events are not on it. */
  read(page: LinePage): number {
    const { pointer } = this;
    const lines = this.#lines;
    const room = this.#room;
    const events = new Map<EmittedRecord, BufferedEvent>();
    const isFull = room.isOver;
    const wants = (line: Line): boolean => (isFull ? this.#hungry.has(line) : this.#heads.get(line.key) !== true);
    let canContinue = this.#ready.size > 0;
    // Without room, one line that waits for nothing else gets one event.
    const takes = (line: Line, record: EmittedRecord): boolean => {
      const event = bufferedEvent(record, 'lines');
      const isHungry = this.#hungry.has(line);
      if (!room.takes(event) && (canContinue || !isHungry)) return false;
      canContinue ||= isHungry;
      room.hold(event);
      events.set(record, event);
      return true;
    };
    let missing = 0;
    for (const { line, taken, next } of partsOf(page, { lines, pointer, wants, takes })) {
      const read = taken.flatMap(({ record, sequence }) => {
        const event = events.get(record);
        return event === undefined ? [] : [{ event, sequence }];
      });
      line.read(read, next);
      missing += this.#settled(line);
    }
    room.read(events.size);
    return missing;
  }

  /** Gives up the waiting events on a page of the log; returns how many. */
  giveUp(page: LinePage): number {
    for (const line of this.#lines.values()) if (line.first.offset < page.end) this.#forget(line);
    const all = { lines: this.#lines, pointer: this.pointer, wants: () => true, takes: () => true };
    let count = 0;
    for (const { line, taken, next } of partsOf(page, all)) {
      line.giveUp(taken.length, next);
      this.#waiting -= taken.length;
      count += taken.length + this.#settled(line);
    }
    return count;
  }

  /** The changes for the log since the last call, by key; undefined: no event of the key waits any more. */
  takeChanges(): ReadonlyMap<string, LineState | undefined> {
    const changes = new Map(Array.from(this.#changed, (key) => [key, this.#stateOf(key)]));
    this.#changed.clear();
    return changes;
  }

  #stateOf(key: string): LineState | undefined {
    const line = this.#lines.get(key);
    if (line === undefined) return undefined;
    const { first, last, waiting } = line;
    return { first: first.offset, sequence: first.sequence, last, waiting: Math.max(waiting, 0) };
  }

  /** Corrects the count of a line once it is read to its end; returns how many of its events are missing. */
  #settled(line: Line): number {
    const missing = line.settle();
    this.#waiting -= missing;
    this.#changed.add(line.key);
    this.#place(line);
    return missing;
  }

  /** Puts the line into the set for its state; removes it if nothing waits in it. */
  #place(line: Line): void {
    if (line.isOver) this.#lines.delete(line.key);
    const isFree = !line.isOver && !this.#heads.has(line.key);
    if (isFree && line.held > 0) this.#ready.add(line);
    else this.#ready.delete(line);
    if (isFree && line.held === 0) this.#hungry.add(line);
    else this.#hungry.delete(line);
  }

  #forget(line: Line): void {
    for (const { event } of line.forget()) this.#room.release(event);
    this.#place(line);
  }
}
