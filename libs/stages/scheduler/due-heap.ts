// Which timer is due first: a binary heap, so that among many thousands only those that are due are ever looked at.
import type { Millis } from '../../domain/message.ts';

export interface Entry<T> {
  readonly due: Millis;
  readonly item: T;
}

export class DueHeap<T> {
  readonly #entries: Entry<T>[] = [];

  get length(): number {
    return this.#entries.length;
  }

  /** The one that `pop` would take. */
  get first(): Entry<T> | undefined {
    return this.#entries[0];
  }

  push(due: Millis, item: T): void {
    const entry = { due, item };
    let at = this.#entries.push(entry) - 1;
    for (let parent = (at - 1) >> 1; at > 0; parent = (at - 1) >> 1) {
      const above = this.#entries[parent];
      if (above === undefined || above.due <= due) break;
      this.#entries[at] = above;
      at = parent;
    }
    this.#entries[at] = entry;
  }

  pop(): void {
    const last = this.#entries.pop();
    if (last !== undefined && this.#entries.length > 0) this.#sink(last);
  }

  clear(): void {
    this.#entries.length = 0;
  }

  #sink(entry: Entry<T>): void {
    let at = 0;
    for (let child = this.#lesserBelow(at); child !== undefined; child = this.#lesserBelow(at)) {
      if (child.entry.due >= entry.due) break;
      this.#entries[at] = child.entry;
      at = child.at;
    }
    this.#entries[at] = entry;
  }

  #lesserBelow(at: number): { readonly at: number; readonly entry: Entry<T> } | undefined {
    const left = this.#entries[2 * at + 1];
    const right = this.#entries[2 * at + 2];
    if (left === undefined) return undefined;
    if (right !== undefined && right.due < left.due) return { at: 2 * at + 2, entry: right };
    return { at: 2 * at + 1, entry: left };
  }
}
