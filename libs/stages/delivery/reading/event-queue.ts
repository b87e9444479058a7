// Queues the events that a cursor has in memory, and counts what its filter leaves out between them.
import { Fifo } from '../../../primitives/collections/fifo.ts';
import type { BufferedEvent, EmittedRecord, EventBuffer } from '../events/buffer.ts';
import { sizeOf } from '../events/buffer.ts';
import { FilteredRuns, type FilteredRun } from '../filters/filtered-runs.ts';

export class EventQueue {
  readonly #buffer: EventBuffer;
  readonly #events = new Fifo<BufferedEvent>();
  /** Undefined until the filter leaves an event out, which never happens on most cursors. */
  #filtered: FilteredRuns | undefined;
  /** Bytes of the events. */
  bytes = 0;

  constructor(buffer: EventBuffer) {
    this.#buffer = buffer;
  }

  get length(): number {
    return this.#events.length;
  }

  get first(): BufferedEvent | undefined {
    return this.#events.peek();
  }

  push(event: BufferedEvent): void {
    this.#buffer.hold(event);
    this.bytes += sizeOf(event);
    this.#events.push(event);
    this.#filtered?.endRun();
  }

  shift(): BufferedEvent | undefined {
    const event = this.#events.shift();
    if (event === undefined) return undefined;
    this.#buffer.release(event);
    this.bytes -= sizeOf(event);
    return event;
  }

  clear(): void {
    for (const event of this.#events.drain()) this.#buffer.release(event);
    this.#filtered?.clear();
    this.bytes = 0;
  }

  /** Frees its memory if it is empty. */
  compact(): void {
    if (this.length > 0) return;
    this.#events.drain();
    if (this.#filtered?.isEmpty === true) this.#filtered = undefined;
  }

  /** Notes an event that the filter leaves out. */
  addFiltered(event: EmittedRecord): void {
    this.#filtered ??= new FilteredRuns();
    this.#filtered.add(event);
  }

  /** Takes the events left out before the first event; undefined: there are none. */
  takeFiltered(): FilteredRun | undefined {
    return this.#filtered?.takeBefore(this.first?.offset);
  }
}
