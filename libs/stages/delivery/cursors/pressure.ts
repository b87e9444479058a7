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
  readonly onFellBehind: (cursor: SourceCursor) => void;
}

export class Pressure {
  readonly #options: PressureOptions;
  /** Cursors with a full queue, and its length when reading began to wait for them or at the last check. */
  readonly #fullCursors = new Map<SourceCursor, number>();
  /** How many events were queued and begun on a cursor when its queue grew long or at the last check. */
  readonly #watched = new WeakMap<SourceCursor, { queued: number; begun: number; at: number }>();
  #patienceTimer: NodeJS.Timeout | undefined;

  constructor(options: PressureOptions) {
    this.#options = options;
  }

  /** Call after the tail has queued an event on a cursor. */
  noteGrowth(cursor: SourceCursor): void {
    const { buffer, limits } = this.#options;
    if (this.#isStuck(cursor)) return this.#dropQueue(cursor);
    if (cursor.queued >= limits.queuedMax) this.#fullCursors.set(cursor, cursor.queued);
    if (this.#patienceTimer !== undefined) return;
    if (this.#fullCursors.size === 0 && buffer.bytes < limits.bufferBytesMax) return;
    this.#options.pause();
    this.#wait();
  }

  /** Call after a cursor's queue became shorter. */
  noteShrink(cursor: SourceCursor): void {
    if (this.#patienceTimer === undefined) return;
    const { buffer, limits } = this.#options;
    if (cursor.queued * 2 <= limits.queuedMax) this.#fullCursors.delete(cursor);
    if (this.#fullCursors.size === 0 && buffer.bytes * 2 <= limits.bufferBytesMax) this.#resume();
  }

  close(): void {
    clearTimeout(this.#patienceTimer);
  }

  /** Whether the cursor's long queue made no progress for `patienceMs`: the tail does not wait for such a cursor. */
  #isStuck(cursor: SourceCursor): boolean {
    const { limits } = this.#options;
    const { queued, begunCount } = cursor;
    if (queued < limits.watchedFrom && cursor.queuedBytes < limits.watchedBytes) {
      this.#watched.delete(cursor);
      return false;
    }
    const at = performance.now();
    const before = this.#watched.get(cursor);
    if (before !== undefined && at - before.at < limits.patienceMs) return false;
    this.#watched.set(cursor, { queued, begun: begunCount, at });
    return before !== undefined && begunCount - before.begun < before.queued * progressMin;
  }

  #wait(): void {
    this.#patienceTimer = setTimeout(() => this.#dropStuck(), this.#options.limits.patienceMs);
  }

  #dropStuck(): void {
    for (const [cursor, queuedBefore] of this.#fullCursors) {
      if (cursor.queued > queuedBefore * (1 - progressMin)) this.#dropQueue(cursor);
      else this.#fullCursors.set(cursor, cursor.queued);
    }
    this.#dropFullest();
    if (this.#fullCursors.size === 0) this.#resume();
    else this.#wait();
  }

  #dropFullest(): void {
    const { buffer, limits, cursors } = this.#options;
    if (buffer.bytes * 2 <= limits.bufferBytesMax) return;
    for (const cursor of [...cursors()].toSorted((a, b) => heldBy(b) - heldBy(a))) {
      if (buffer.bytes * 2 <= limits.bufferBytesMax) return;
      this.#dropQueue(cursor);
    }
  }

  #dropQueue(cursor: SourceCursor): void {
    this.#fullCursors.delete(cursor);
    this.#watched.delete(cursor);
    cursor.fallBehind();
    this.#options.onFellBehind(cursor);
  }

  #resume(): void {
    clearTimeout(this.#patienceTimer);
    this.#patienceTimer = undefined;
    this.#fullCursors.clear();
    this.#options.resume();
  }
}

/** How many events the cursor has in memory, including those in its lines. */
const heldBy = ({ queued, keyOrder }: SourceCursor): number => queued + (keyOrder?.heldCount ?? 0);
