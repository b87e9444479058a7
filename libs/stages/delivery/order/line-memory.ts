// Limits what the lines of one cursor hold in memory: about as much as its receiver accepts in a second.
import { sizeOf, type BufferedEvent, type EventBuffer } from '../events/buffer.ts';

/** Events that the lines of one cursor keep in memory; further ones are read from the log when their turn comes. */
export const heldMax = 256;
export const heldBytesMax = 256 * 1024;
/** The limit while the lines of all cursors hold too much: a few small events, so that lines still share reads. */
const tightBytesMax = 4 * 1024;
/** Events read at once last this long, so that a slow receiver's lines need few reads and little memory. */
const aheadMs = 1_000;
/** The window before the receiver's pace is known. */
const firstWindow = 16;
/** The window's largest factor of growth at once: one quick moment proves little. */
const growthMax = 8;
/** The fewest records to read, and the most: no event of the lines is read in vain. */
const recordsMin = 8;
const recordsMax = heldMax;

export class LineMemory {
  readonly #buffer: EventBuffer;
  #heldCount = 0;
  #heldBytes = 0;
  #window = firstWindow;
  #recordsToRead = firstWindow;
  /** Events begun since the last read. */
  #begun = 0;
  #readAt = performance.now();
  #hasRefused = false;

  constructor(buffer: EventBuffer) {
    this.#buffer = buffer;
  }

  /** How many events are in memory. */
  get heldCount(): number {
    return this.#heldCount;
  }

  /** Whether reading ahead must wait until some events in memory have begun. */
  get isFull(): boolean {
    return this.#hasRefused || this.#heldCount >= this.#window;
  }

  /** How many records to read: in proportion to the last read's yield, and twice as many after one without any. */
  get recordsToRead(): number {
    return this.#recordsToRead;
  }

  /** Whether there is room for the event. */
  hasRoomFor(event: BufferedEvent): boolean {
    const isRead = event.budget === 'lines';
    const isTight = isRead && this.#buffer.areLinesFull;
    const fits =
      this.#heldCount < (isRead ? this.#window : heldMax) &&
      this.#heldBytes + sizeOf(event) <= (isTight ? tightBytesMax : heldBytesMax);
    this.#hasRefused ||= !fits;
    return fits;
  }

  hold(event: BufferedEvent): void {
    this.#buffer.hold(event);
    this.#heldCount++;
    this.#heldBytes += sizeOf(event);
  }

  release(event: BufferedEvent): void {
    this.#buffer.release(event);
    this.#heldCount--;
    this.#heldBytes -= sizeOf(event);
    this.#hasRefused = false;
  }

  /** Call when an event in memory begins, or is given up in its turn. */
  noteBegin(event: BufferedEvent): void {
    this.release(event);
    this.#begun++;
  }

  /** Notes that a read brought the lines `count` events. */
  noteRead(count: number, now = performance.now()): void {
    if (this.#begun > 0) {
      const lasting = Math.ceil((this.#begun * aheadMs) / Math.max(now - this.#readAt, 1));
      this.#window = Math.min(lasting, this.#window * growthMax, heldMax);
    }
    const fromYield = Math.max(Math.min(count * 2, this.#window), recordsMin);
    this.#recordsToRead = count > 0 ? fromYield : Math.min(this.#recordsToRead * 2, recordsMax);
    this.#begun = 0;
    this.#readAt = now;
  }
}
