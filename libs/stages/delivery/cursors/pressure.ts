// Holds reading back while healthy cursors are full, and not for long: then they fall behind and read for themselves.
import type { DeliveryLimits } from '../limits.ts';
import type { EventBuffer } from './buffer.ts';
import type { EmitterCursor } from './emitter-cursor.ts';

export interface PressureOptions {
  readonly buffer: EventBuffer;
  readonly limits: Pick<DeliveryLimits, 'queuedMax' | 'bufferBytesMax' | 'patienceMs'>;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Every cursor, for the case that all of them together hold too much. */
  readonly cursors: () => Iterable<EmitterCursor>;
  /** The cursor has fallen behind. */
  readonly fell: (cursor: EmitterCursor) => void;
}

export class Pressure {
  readonly #options: PressureOptions;
  readonly #crowded = new Set<EmitterCursor>();
  #patience: NodeJS.Timeout | undefined;

  constructor(options: PressureOptions) {
    this.#options = options;
  }

  /** After a cursor was given an event by the tail. */
  grown(cursor: EmitterCursor): void {
    const { buffer, limits } = this.#options;
    if (cursor.queued >= limits.queuedMax) this.#crowded.add(cursor);
    if (this.#patience !== undefined) return;
    if (this.#crowded.size === 0 && buffer.bytes < limits.bufferBytesMax) return;
    this.#options.pause();
    this.#patience = setTimeout(() => this.#relieve(), limits.patienceMs);
  }

  /** After a cursor has let go of events. */
  shrunk(cursor: EmitterCursor): void {
    if (this.#patience === undefined) return;
    const { buffer, limits } = this.#options;
    if (cursor.queued * 2 <= limits.queuedMax) this.#crowded.delete(cursor);
    if (this.#crowded.size === 0 && buffer.bytes * 2 <= limits.bufferBytesMax) this.#resume();
  }

  close(): void {
    clearTimeout(this.#patience);
  }

  #relieve(): void {
    const { buffer, limits, cursors } = this.#options;
    for (const cursor of this.#crowded) this.#drop(cursor);
    if (buffer.bytes * 2 > limits.bufferBytesMax) {
      const fullest = [...cursors()].toSorted((a, b) => b.queued - a.queued);
      for (const cursor of fullest) {
        if (buffer.bytes * 2 <= limits.bufferBytesMax) break;
        this.#drop(cursor);
      }
    }
    this.#resume();
  }

  #drop(cursor: EmitterCursor): void {
    cursor.fallBehind();
    this.#options.fell(cursor);
  }

  #resume(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#crowded.clear();
    this.#options.resume();
  }
}
