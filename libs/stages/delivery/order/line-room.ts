// How much the lines of one cursor hold in memory: about as much as its receiver takes in a second, and little together.
import { sizeOf, type BufferedEvent, type EventBuffer } from '../events/buffer.ts';

/** Events that the lines of one cursor keep in memory; further ones are read from the log when their turn comes. */
export const heldMax = 256;
export const heldBytesMax = 256 * 1024;
/** While the lines of all cursors hold too much: a few small events, so that their lines still share what is read. */
const tightBytesMax = 4 * 1024;
/** Events read at once last this long: lines of a slow receiver need few reads and little memory. */
const aheadMs = 1_000;
/** The window before the receiver's pace is known. */
const firstWindow = 16;
/** The window's largest factor of growth at once: one quick moment says little. */
const growthMax = 8;
/** The fewest records to read, and the most: no event of the lines is read for nothing. */
const reachMin = 8;
const reachMax = heldMax;

export class LineRoom {
  readonly #buffer: EventBuffer;
  #held = 0;
  #heldBytes = 0;
  #window = firstWindow;
  #reach = firstWindow;
  /** Events begun since the last read. */
  #begun = 0;
  #readAt = performance.now();
  #hasRefused = false;

  constructor(buffer: EventBuffer) {
    this.#buffer = buffer;
  }

  /** How many events are in memory. */
  get held(): number {
    return this.#held;
  }

  /** Whether nothing more is to be read ahead until some of it has begun. */
  get isOver(): boolean {
    return this.#hasRefused || this.#held >= this.#window;
  }

  /** How many records to read: in proportion to what the last read gave, and twice as many after one that gave nothing. */
  get reach(): number {
    return this.#reach;
  }

  /** Whether there is room for the event. */
  takes(event: BufferedEvent): boolean {
    const isRead = event.budget === 'lines';
    const isTight = isRead && this.#buffer.areLinesFull;
    const fits =
      this.#held < (isRead ? this.#window : heldMax) &&
      this.#heldBytes + sizeOf(event) <= (isTight ? tightBytesMax : heldBytesMax);
    this.#hasRefused ||= !fits;
    return fits;
  }

  hold(event: BufferedEvent): void {
    this.#buffer.hold(event);
    this.#held++;
    this.#heldBytes += sizeOf(event);
  }

  release(event: BufferedEvent): void {
    this.#buffer.release(event);
    this.#held--;
    this.#heldBytes -= sizeOf(event);
    this.#hasRefused = false;
  }

  /** An event in memory begins, or is given up in its turn. */
  begins(event: BufferedEvent): void {
    this.release(event);
    this.#begun++;
  }

  /** Notes that a read gave the lines `count` events. */
  read(count: number, now = performance.now()): void {
    if (this.#begun > 0) {
      const lasting = Math.ceil((this.#begun * aheadMs) / Math.max(now - this.#readAt, 1));
      this.#window = Math.min(lasting, this.#window * growthMax, heldMax);
    }
    const given = Math.max(Math.min(count * 2, this.#window), reachMin);
    this.#reach = count > 0 ? given : Math.min(this.#reach * 2, reachMax);
    this.#begun = 0;
    this.#readAt = now;
  }
}
