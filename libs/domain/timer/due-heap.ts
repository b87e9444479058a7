// A binary heap by due time: among many thousands of entries, only the due ones are looked at.
import type { Millis } from '../message.ts';

export interface Entry<T> {
  readonly due: Millis;
  readonly item: T;
  /** The order of entries due at the same time. */
  readonly order: number;
}

const isBefore = <T>(a: Entry<T>, b: Entry<T>): boolean => a.due < b.due || (a.due === b.due && a.order < b.order);

export class DueHeap<T> {
  readonly #entries: Entry<T>[] = [];
  #pushed = 0;

  get length(): number {
    return this.#entries.length;
  }

  /** The entry that `pop` would return. */
  get first(): Entry<T> | undefined {
    return this.#entries[0];
  }

  /** Without `order`, entries due at the same time come out in the order of their pushes. */
  push(due: Millis, item: T, order = this.#pushed++): void {
    const entry = { due, item, order };
    let at = this.#entries.push(entry) - 1;
    for (let parent = (at - 1) >> 1; at > 0; parent = (at - 1) >> 1) {
      const parentEntry = this.#entries[parent];
      if (parentEntry === undefined || !isBefore(entry, parentEntry)) break;
      this.#entries[at] = parentEntry;
      at = parent;
    }
    this.#entries[at] = entry;
  }

  pop(): void {
    const last = this.#entries.pop();
    if (last !== undefined && this.#entries.length > 0) this.#siftDown(last);
  }

  clear(): void {
    this.#entries.length = 0;
  }

  #siftDown(entry: Entry<T>): void {
    let at = 0;
    for (let child = this.#earlierChild(at); child !== undefined; child = this.#earlierChild(at)) {
      if (!isBefore(child.entry, entry)) break;
      this.#entries[at] = child.entry;
      at = child.at;
    }
    this.#entries[at] = entry;
  }

  #earlierChild(at: number): { readonly at: number; readonly entry: Entry<T> } | undefined {
    const left = this.#entries[2 * at + 1];
    const right = this.#entries[2 * at + 2];
    if (left === undefined) return undefined;
    if (right !== undefined && isBefore(right, left)) return { at: 2 * at + 2, entry: right };
    return { at: 2 * at + 1, entry: left };
  }
}
