// Finds the retry that is due first among many, from a heap whose outdated entries are skipped.
import type { OpenDelivery } from '../../../domain/delivery/messages.ts';
import type { Millis } from '../../../domain/message.ts';
import { DueHeap } from '../../../domain/timer/due-heap.ts';

/** The heap is rebuilt when it has more entries than this for each waiting delivery ... */
const entriesPerDelivery = 2;
/** ... plus this many, so that a small heap is never rebuilt. */
const entriesMin = 64;

export class EarliestDue {
  readonly #heap = new DueHeap<number>();

  add({ dueAt, offset }: OpenDelivery): void {
    this.#heap.push(dueAt, offset);
  }

  /** The earliest due time of the `waiting` deliveries, by offset, that are not `suspended`; null: there are none. */
  at(waiting: ReadonlyMap<number, OpenDelivery>, suspended: ReadonlySet<number> | undefined): Millis | null {
    if (this.#heap.length > waiting.size * entriesPerDelivery + entriesMin) this.#rebuild(waiting);
    for (let { first } = this.#heap; first !== undefined; first = this.#heap.first) {
      if (waiting.get(first.item)?.dueAt === first.due && suspended?.has(first.item) !== true) return first.due;
      this.#heap.pop();
    }
    return null;
  }

  #rebuild(waiting: ReadonlyMap<number, OpenDelivery>): void {
    this.#heap.clear();
    for (const delivery of waiting.values()) this.add(delivery);
  }
}
