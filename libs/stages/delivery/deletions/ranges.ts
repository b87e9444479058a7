// A set of text ranges, joined where they overlap; finds the one that contains a text by binary search.
import type { OrderRange } from '../../../domain/deletion/order-range.ts';

export class Ranges {
  /** Disjoint and sorted. */
  readonly #ranges: OrderRange[] = [];

  get size(): number {
    return this.#ranges.length;
  }

  /** Ignores an empty range. */
  add({ from, to }: OrderRange): void {
    if (from >= to) return;
    const first = this.#firstEndingFrom(from);
    let end = first;
    for (let next = this.#ranges[end]; next !== undefined && next.from <= to; next = this.#ranges[end]) end++;
    const [lowest, highest] = [this.#ranges[first], this.#ranges[end - 1]];
    const joined =
      end === first || lowest === undefined || highest === undefined
        ? { from, to }
        : { from: lowest.from < from ? lowest.from : from, to: highest.to > to ? highest.to : to };
    this.#ranges.splice(first, end - first, joined);
  }

  has(text: string): boolean {
    const range = this.#ranges[this.#firstEndingFrom(text)];
    const isInside = range !== undefined && range.from <= text && text < range.to;
    return isInside;
  }

  /** The index of the first range that ends at or after `text`. */
  #firstEndingFrom(text: string): number {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ranges[middle]?.to ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
