// Counts the retries that wait in the process, by cursor, to bound them.
import type { DeliveryLimits } from '../delivery-limits.ts';

/** This many retries of a cursor can always wait, even when the process has too many. */
const waitingMin = 1_000;

/** A cursor, with the deliveries that wait for a retry. */
interface Cursor {
  readonly retries: { readonly size: number };
}

/** Counts waiting retries; every cursor that has some gets an equal share of the process's limit. */
export class RetryQuota {
  readonly #limits: Pick<DeliveryLimits, 'waitingMax' | 'waitingInProcessMax'>;
  readonly #waiting = new Map<Cursor, number>();

  constructor(limits: Pick<DeliveryLimits, 'waitingMax' | 'waitingInProcessMax'>) {
    this.#limits = limits;
  }

  /** How many retries wait on the cursor above its limit. */
  excess(cursor: Cursor): number {
    const { size } = cursor.retries;
    if (size === 0) this.#waiting.delete(cursor);
    else this.#waiting.set(cursor, size);
    if (size <= waitingMin && size <= this.#limits.waitingMax) return 0;
    const share = Math.max(Math.floor(this.#limits.waitingInProcessMax / this.#waiting.size), waitingMin);
    return Math.max(size - Math.min(this.#limits.waitingMax, share), 0);
  }

  /** How many retries wait in the process. */
  get waiting(): number {
    let size = 0;
    for (const waiting of this.#waiting.values()) size += waiting;
    return size;
  }

  leave(cursor: Cursor): void {
    this.#waiting.delete(cursor);
  }
}
