// Keeps events in order by key on one cursor: which keys have an unfinished event, and the lines of events that wait.
import type { OpenDelivery } from '../../../domain/delivery/messages.ts';
import { orderKeyOf, type OrderKey } from '../../../domain/delivery/order/order-key.ts';
import { bufferedEvent, lineCopyOf } from '../events/buffer.ts';
import type { BufferedEvent, EmittedRecord, EventBuffer } from '../events/buffer.ts';
import { Line, type QueuedEvent } from './line.ts';
import { partsOf, type LinePage } from './line-page.ts';
import { LineMemory } from './line-memory.ts';

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
  readonly #memory: LineMemory;
  /** Keys of events that have begun and are not finished; true if an attempt has failed. */
  readonly #heads = new Map<string, boolean>();
  readonly #lines = new Map<string, Line>();
  /** Lines without an unfinished event whose next event is in memory, in the order of their turns ... */
  readonly #ready = new Set<Line>();
  /** ... and those whose next event must be read. */
  readonly #needingRead = new Set<Line>();
  readonly #changed = new Set<string>();
  #waiting = 0;

  constructor(pointer: string, buffer: EventBuffer) {
    this.pointer = pointer;
    this.#memory = new LineMemory(buffer);
  }

  /** Whether no event is unfinished or waiting. */
  get isEmpty(): boolean {
    return this.#heads.size === 0 && this.#lines.size === 0;
  }

  get isFull(): boolean {
    return this.#heads.size + this.#ready.size + this.#needingRead.size >= keysMax;
  }

  /** How many events wait for another one of their key. */
  get waiting(): number {
    return this.#waiting;
  }

  get heldCount(): number {
    return this.#memory.heldCount;
  }

  /** How many lines have changed since `takeChanges`. */
  get changeCount(): number {
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
  get needsRead(): boolean {
    return this.#needingRead.size > 0;
  }

  /** Whether enough is in memory, and a line can continue with it. */
  get hasEnough(): boolean {
    return this.#ready.size > 0 && this.#memory.isFull;
  }

  /** How many records to read for lines. */
  get recordsToRead(): number {
    return this.#memory.recordsToRead;
  }

  /** The offset to read from for lines that can continue; null: no read is needed. */
  get readFrom(): number | null {
    let from = Infinity;
    for (const { unread } of this.#needingRead) from = Math.min(from, unread?.offset ?? Infinity);
    return from === Infinity ? null : from;
  }

  keyOf(event: BufferedEvent): string {
    const known = event.orderKeys?.get(this.pointer);
    const { key, former } = known ?? this.cacheKey(event, JSON.parse(event.body));
    // Events that the log has under their former key come first.
    return former !== undefined && this.holds(former) ? former : key;
  }

  /** Returns the event's key, and stores it with the event, which other cursors share. */
  cacheKey(event: BufferedEvent, emitted: unknown): OrderKey {
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

  noteBegin(key: string): void {
    this.#heads.set(key, false);
    const line = this.#lines.get(key);
    if (line !== undefined) this.#reclassify(line);
  }

  /** Call when the key's event has failed: the events that wait for it are removed from memory. */
  noteFailure(key: string): void {
    this.#heads.set(key, true);
    const line = this.#lines.get(key);
    if (line !== undefined) this.#dropHeld(line);
  }

  /** Call when the key's event is finished: the next one can begin. */
  noteEnd(key: string): void {
    this.#heads.delete(key);
    const line = this.#lines.get(key);
    if (line !== undefined) this.#reclassify(line);
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
    this.#reclassify(line);
  }

  /** Adds an event that waits for another one of its key. */
  add(key: string, { event: queued, sequence }: QueuedEvent): void {
    const line = this.#lines.get(key) ?? new Line(key, null, { last: 0, waiting: 0 });
    const event = lineCopyOf(queued);
    const canHold = line.canHold && this.#heads.get(key) !== true && this.#memory.hasRoomFor(event);
    line.add({ event, sequence }, canHold);
    if (canHold) this.#memory.hold(event);
    this.#lines.set(key, line);
    this.#waiting++;
    this.#reclassify(line);
    this.#changed.add(key);
  }

  /** Takes the next event of a line that is ready: it begins, or is given up. */
  take(line: Line): QueuedEvent | undefined {
    const next = line.take();
    if (next === undefined) return undefined;
    this.#waiting--;
    this.#memory.noteBegin(next.event);
    this.#changed.add(line.key);
    // The line moves to the end of the turns.
    this.#ready.delete(line);
    this.#reclassify(line);
    return next;
  }

  /** Removes all events from memory. */
  dropHeld(): void {
    for (const line of this.#lines.values()) this.#dropHeld(line);
  }

  /** Takes a page of the log for the lines that can continue; returns how many expected events are not on it. */
  takePage(page: LinePage): number {
    const { pointer } = this;
    const lines = this.#lines;
    const memory = this.#memory;
    const events = new Map<EmittedRecord, BufferedEvent>();
    const isFull = memory.isFull;
    const isWanted = (line: Line): boolean =>
      isFull ? this.#needingRead.has(line) : this.#heads.get(line.key) !== true;
    let canContinue = this.#ready.size > 0;
    // Without room, one line that waits for nothing else gets one event.
    const canTake = (line: Line, record: EmittedRecord): boolean => {
      const event = bufferedEvent(record, 'lines');
      const lineNeedsRead = this.#needingRead.has(line);
      if (!memory.hasRoomFor(event) && (canContinue || !lineNeedsRead)) return false;
      canContinue ||= lineNeedsRead;
      memory.hold(event);
      events.set(record, event);
      return true;
    };
    let missing = 0;
    for (const { line, taken, next } of partsOf(page, { lines, pointer, isWanted, canTake })) {
      const numbered = taken.flatMap(({ record, sequence }) => {
        const event = events.get(record);
        return event === undefined ? [] : [{ event, sequence }];
      });
      line.read(numbered, next);
      missing += this.#settleLine(line);
    }
    memory.noteRead(events.size);
    return missing;
  }

  /** Gives up the waiting events on a page of the log; returns how many. */
  giveUp(page: LinePage): number {
    for (const line of this.#lines.values()) if (line.first.offset < page.end) this.#dropHeld(line);
    const all = { lines: this.#lines, pointer: this.pointer, isWanted: () => true, canTake: () => true };
    let count = 0;
    for (const { line, taken, next } of partsOf(page, all)) {
      line.giveUp(taken.length, next);
      this.#waiting -= taken.length;
      count += taken.length + this.#settleLine(line);
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
  #settleLine(line: Line): number {
    const missing = line.settle();
    this.#waiting -= missing;
    this.#changed.add(line.key);
    this.#reclassify(line);
    return missing;
  }

  /** Puts the line into the set for its state; removes it if nothing waits in it. */
  #reclassify(line: Line): void {
    if (line.isEmpty) this.#lines.delete(line.key);
    const isFree = !line.isEmpty && !this.#heads.has(line.key);
    if (isFree && line.heldCount > 0) this.#ready.add(line);
    else this.#ready.delete(line);
    if (isFree && line.heldCount === 0) this.#needingRead.add(line);
    else this.#needingRead.delete(line);
  }

  #dropHeld(line: Line): void {
    for (const { event } of line.dropHeld()) this.#memory.release(event);
    this.#reclassify(line);
  }
}
