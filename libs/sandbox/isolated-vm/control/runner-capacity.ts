// Estimates how many sources fit into a runner's memory, from the average size of its isolates.
import type { Capacity } from '../../sandbox.ts';

const MiB = 1024 * 1024;
/** Memory of a runner without isolates. */
const baseBytes = 60 * MiB;
/** Lower bound of the estimate; a small idle component takes 4.5 MiB. */
const isolateBytesMin = 5 * MiB;
/** With fewer isolates the average is unknown, because freed memory might not have been returned yet. */
const isolatesMin = 20;

export class RunnerCapacity {
  readonly #rssSoftBytes: number;
  #isolateBytes = isolateBytesMin;

  constructor(rssSoftBytes: number) {
    this.#rssSoftBytes = rssSoftBytes;
  }

  /** Updates the estimate with what the runner reports. */
  update(rssBytes: number, isolates: number): void {
    this.#isolateBytes = Math.max(isolateBytesMin, (rssBytes - baseBytes) / Math.max(isolates, isolatesMin));
  }

  capacityWith(used: number): Capacity {
    return { total: Math.floor(this.#rssSoftBytes / this.#isolateBytes), used };
  }
}

/** The capacity of runners that have not started yet. */
export const emptyCapacity = (rssSoftBytes: number, count: number): Capacity => ({
  total: count * Math.floor(rssSoftBytes / isolateBytesMin),
  used: 0,
});

/** The capacity of some runners to which sources are assigned at random: all count as being as full as the fullest. */
export function totalCapacity(capacities: readonly Capacity[]): Capacity {
  const [first, ...others] = capacities;
  if (first === undefined) return { total: 0, used: 0 };
  const fullest = others.reduce(
    (fullestSoFar, capacity) =>
      capacity.used * fullestSoFar.total > fullestSoFar.used * capacity.total ? capacity : fullestSoFar,
    first,
  );
  return { total: capacities.length * fullest.total, used: capacities.length * fullest.used };
}
