// Filtered events behind queued ones: they get their numbers in order, and until then only their count is kept.
import { Fifo } from '../../../primitives/fifo.ts';
import type { EmittedRecord } from '../cursors/buffer.ts';

/** Filtered events in a row. */
export interface Passed {
  /** The offset of the first one. */
  readonly from: number;
  count: number;
  /** The offset after the last one. */
  next: number;
  /** The last one. */
  eventId: string;
}

export class PassedEvents {
  /** At most one behind each queued event. */
  readonly #runs = new Fifo<Passed>();
  #last: Passed | undefined;

  add({ offset, data: { eventId } }: EmittedRecord): void {
    if (this.#last === undefined) {
      this.#last = { from: offset, count: 0, next: offset, eventId };
      this.#runs.push(this.#last);
    }
    this.#last.count++;
    this.#last.next = offset + 1;
    this.#last.eventId = eventId;
  }

  /** An event is queued behind them. */
  cut(): void {
    this.#last = undefined;
  }

  /** Takes those that come before the event at `offset`, undefined: before none that is queued. */
  takeBefore(offset: number | undefined): Passed | undefined {
    const first = this.#runs.peek();
    if (first === undefined || first.from > (offset ?? Infinity)) return undefined;
    if (first === this.#last) this.#last = undefined;
    return this.#runs.shift();
  }

  clear(): void {
    this.#runs.drain();
    this.#last = undefined;
  }
}
