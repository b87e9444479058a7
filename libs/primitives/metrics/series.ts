// The values of counters and histograms. Code that counts keeps a reference to them, so that counting is an addition.

export class Count {
  value = 0;
}

export class Histogram {
  readonly bounds: readonly number[];
  /** Number of values in each bucket; the last bucket is above every bound. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  /** Adds a value. NaN is ignored: it would spoil the sum. */
  observe(value: number): void {
    if (Number.isNaN(value)) return;
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? Infinity)) at++;
    counts[at] = (counts[at] ?? 0) + 1;
    this.sum += value;
  }
}
