// Counts the triggers that wait or run in a process, by lane: the sum of its partitions.
import { families } from '../../loop/measuring/families.ts';
import type { Metrics } from '../../../primitives/metrics/metrics.ts';
import type { LaneName } from '../source/source-state.ts';

export type ByLane = Record<LaneName, number>;

const lanes: readonly LaneName[] = ['hooks', 'runs', 'calls'];

export class Depths {
  readonly #partitions = new Set<Readonly<ByLane>>();

  /** Adds a partition, whose numbers can change until it leaves. */
  join(partition: Readonly<ByLane>): void {
    this.#partitions.add(partition);
  }

  leave(partition: Readonly<ByLane>): void {
    this.#partitions.delete(partition);
  }

  of(lane: LaneName): number {
    let sum = 0;
    for (const partition of this.#partitions) sum += partition[lane];
    return sum;
  }

  showIn(metrics: Metrics): void {
    metrics.read((put) => {
      for (const lane of lanes) put(families.triggers, { lane }, this.of(lane));
    });
  }
}
