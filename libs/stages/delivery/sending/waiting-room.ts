// How many retries wait in the process, and of which cursors: the books behind the bound on them.
import type { EmitterCursor } from '../cursors/emitter-cursor.ts';
import type { DeliveryLimits } from '../delivery-limits.ts';

/** Whatever the process has room for, so many retries of a cursor may wait. */
const waitingMin = 1_000;

/** How many retries wait in the process, and of how many cursors: each may have an equal part. */
export class WaitingRoom {
  readonly #limits: Pick<DeliveryLimits, 'waitingMax' | 'waitingInProcessMax'>;
  readonly #waiting = new Map<EmitterCursor, number>();

  constructor(limits: Pick<DeliveryLimits, 'waitingMax' | 'waitingInProcessMax'>) {
    this.#limits = limits;
  }

  /** How many more wait on the cursor than may. */
  excess(cursor: EmitterCursor): number {
    const { size } = cursor.aside;
    if (size === 0) this.#waiting.delete(cursor);
    else this.#waiting.set(cursor, size);
    if (size <= waitingMin && size <= this.#limits.waitingMax) return 0;
    const part = Math.max(Math.floor(this.#limits.waitingInProcessMax / this.#waiting.size), waitingMin);
    return Math.max(size - Math.min(this.#limits.waitingMax, part), 0);
  }

  leave(cursor: EmitterCursor): void {
    this.#waiting.delete(cursor);
  }
}
