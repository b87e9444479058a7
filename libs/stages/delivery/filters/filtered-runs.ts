// Counts events that the filter leaves out after queued ones, until they can be numbered in order.
import { Fifo } from '../../../primitives/collections/fifo.ts';
import type { EmittedRecord } from '../events/buffer.ts';

/** A run of consecutive events that were left out. */
export interface FilteredRun {
  /** The offset of the first event. */
  readonly from: number;
  count: number;
  /** The offset after the last event. */
  next: number;
  /** The id of the last event. */
  eventId: string;
}

export class FilteredRuns {
  /** At most one run after each queued event. */
  readonly #runs = new Fifo<FilteredRun>();
  #last: FilteredRun | undefined;

  get isEmpty(): boolean {
    return this.#runs.length === 0;
  }

  add({ offset, data: { eventId } }: EmittedRecord): void {
    if (this.#last === undefined) {
      this.#last = { from: offset, count: 0, next: offset, eventId };
      this.#runs.push(this.#last);
    }
    this.#last.count++;
    this.#last.next = offset + 1;
    this.#last.eventId = eventId;
  }

  /** Ends the current run: an event is queued after it. */
  endRun(): void {
    this.#last = undefined;
  }

  /** Takes the run before the event at `offset`; undefined: no event is queued. */
  takeBefore(offset: number | undefined): FilteredRun | undefined {
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
