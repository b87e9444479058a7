// A line holds the events of one key that wait for another one: the first few in memory, the others only on the log.
import { Fifo } from '../../../primitives/collections/fifo.ts';
import type { BufferedEvent } from '../events/buffer.ts';

/** An event that has its number but has not begun. */
export interface QueuedEvent {
  readonly event: BufferedEvent;
  readonly sequence: number;
}

/** An offset on `channels`, and the number of the subscription's first event from there on. */
export interface NumberedOffset {
  readonly offset: number;
  readonly sequence: number;
}

export class Line {
  readonly key: string;
  readonly #held = new Fifo<QueuedEvent>();
  /** Where to read its next events; null: all waiting events are in memory. */
  #unread: NumberedOffset | null;
  #last: number;
  #waiting: number;

  /** `unread`: from its record on the log. */
  constructor(key: string, unread: NumberedOffset | null, { last, waiting }: { last: number; waiting: number }) {
    this.key = key;
    this.#unread = unread;
    this.#last = last;
    this.#waiting = waiting;
  }

  /** How many events wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The next event, if it is in memory. */
  get next(): QueuedEvent | undefined {
    return this.#held.peek();
  }

  get heldCount(): number {
    return this.#held.length;
  }

  get unread(): NumberedOffset | null {
    return this.#unread;
  }

  /** Whether no event waits any more. */
  get isEmpty(): boolean {
    return this.#unread === null && this.#held.length === 0;
  }

  /** The offset of its last event. */
  get last(): number {
    return this.#last;
  }

  /** The place of its first waiting event, or a place before it. */
  get first(): NumberedOffset {
    const { next } = this;
    if (next !== undefined) return { offset: next.event.offset, sequence: next.sequence };
    return this.#unread ?? { offset: this.#last, sequence: 0 };
  }

  /** Whether a further event can be held in memory: only if all events before it are. */
  get canHold(): boolean {
    return this.#unread === null;
  }

  /** Adds a further event of the key, which is held in memory or read again later. */
  add({ event, sequence }: QueuedEvent, isHeld: boolean): void {
    const { offset } = event;
    if (isHeld) this.#held.push({ event, sequence });
    else this.#unread ??= { offset, sequence };
    this.#last = offset;
    this.#waiting++;
  }

  take(): QueuedEvent | undefined {
    const next = this.#held.shift();
    if (next !== undefined) this.#waiting--;
    return next;
  }

  /** Removes the events from memory, and returns them; they are read again later. */
  dropHeld(): readonly QueuedEvent[] {
    const { first } = this;
    const held = this.#held.drain();
    if (held.length > 0) this.#unread = first;
    return held;
  }

  /** Takes events that were read from its unread place on; `next`: where to continue. */
  read(events: readonly QueuedEvent[], next: NumberedOffset): void {
    for (const event of events) this.#held.push(event);
    this.#unread = next.offset > this.#last ? null : next;
  }

  /** Gives up events that were read from its unread place on. */
  giveUp(count: number, next: NumberedOffset): void {
    this.#waiting -= count;
    this.#unread = next.offset > this.#last ? null : next;
  }

  /** Corrects the number of waiting events once all are in memory, and returns by how many it was too high. */
  settle(): number {
    if (this.#unread !== null) return 0;
    const missing = this.#waiting - this.#held.length;
    this.#waiting = this.#held.length;
    return missing;
  }
}
