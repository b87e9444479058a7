// Back-pressure: the tail waits for full cursors that make progress; other full cursors fall behind and catch up later.
import type { DeliveryLimits } from '../delivery-limits.ts';
import type { EventBuffer } from '../events/buffer.ts';
import type { SourceCursor } from './source-cursor.ts';

/** A full cursor makes progress when it sends this part of its queue while reading waits. */
const progressMin = 0.25;

export interface PressureOptions {
  readonly buffer: EventBuffer;
  readonly limits: Pick<DeliveryLimits, 'queuedMax' | 'bufferBytesMax' | 'patienceMs' | 'watchedFrom' | 'watchedBytes'>;
  readonly pause: () => void;
  readonly resume: () => void;
  /** All cursors, to find the fullest when all of them together hold too much. */
  readonly cursors: () => Iterable<SourceCursor>;
  /** Called when the cursor has fallen behind. */
  readonly fell: (cursor: SourceCursor) => void;
}

export class Pressure {
  readonly #options: PressureOptions;
  /** Cursors with a full queue, and its length when reading began to wait for them or at the last check. */
  readonly #crowded = new Map<SourceCursor, number>();
  /** How many events were queued and begun on a cursor when its queue grew long or at the last check. */
  readonly #watched = new WeakMap<SourceCursor, { queued: number; begun: number; at: number }>();
  #patience: NodeJS.Timeout | undefined;

  constructor(options: PressureOptions) {
    this.#options = options;
  }

  /** Call after the tail has queued an event on a cursor. */
  grown(cursor: SourceCursor): void {
    const { buffer, limits } = this.#options;
    if (this.#lingers(cursor)) return this.#drop(cursor);
    if (cursor.queued >= limits.queuedMax) this.#crowded.set(cursor, cursor.queued);
    if (this.#patience !== undefined) return;
    if (this.#crowded.size === 0 && buffer.bytes < limits.bufferBytesMax) return;
    this.#options.pause();
    this.#wait();
  }

  /** Call after a cursor's queue became shorter. */
  shrunk(cursor: SourceCursor): void {
    if (this.#patience === undefined) return;
    const { buffer, limits } = this.#options;
    if (cursor.queued * 2 <= limits.queuedMax) this.#crowded.delete(cursor);
    if (this.#crowded.size === 0 && buffer.bytes * 2 <= limits.bufferBytesMax) this.#resume();
  }

  close(): void {
    clearTimeout(this.#patience);
  }

  /** Whether the cursor's long queue made no progress for `patienceMs`: the tail does not wait for such a cursor. */
  #lingers(cursor: SourceCursor): boolean {
    const { limits } = this.#options;
    const { queued, begun } = cursor;
    if (queued < limits.watchedFrom && cursor.queuedBytes < limits.watchedBytes) {
      this.#watched.delete(cursor);
      return false;
    }
    const at = performance.now();
    const before = this.#watched.get(cursor);
    if (before !== undefined && at - before.at < limits.patienceMs) return false;
    this.#watched.set(cursor, { queued, begun, at });
    return before !== undefined && begun - before.begun < before.queued * progressMin;
  }

  #wait(): void {
    this.#patience = setTimeout(() => this.#relieve(), this.#options.limits.patienceMs);
  }

  #relieve(): void {
    for (const [cursor, queuedBefore] of this.#crowded) {
      if (cursor.queued > queuedBefore * (1 - progressMin)) this.#drop(cursor);
      else this.#crowded.set(cursor, cursor.queued);
    }
    this.#dropFullest();
    if (this.#crowded.size === 0) this.#resume();
    else this.#wait();
  }

  #dropFullest(): void {
    const { buffer, limits, cursors } = this.#options;
    if (buffer.bytes * 2 <= limits.bufferBytesMax) return;
    for (const cursor of [...cursors()].toSorted((a, b) => heldBy(b) - heldBy(a))) {
      if (buffer.bytes * 2 <= limits.bufferBytesMax) return;
      this.#drop(cursor);
    }
  }

  #drop(cursor: SourceCursor): void {
    this.#crowded.delete(cursor);
    this.#watched.delete(cursor);
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

/** How many events the cursor has in memory, including those in its lines. */
const heldBy = ({ queued, order }: SourceCursor): number => queued + (order?.held ?? 0);
