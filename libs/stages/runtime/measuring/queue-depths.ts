// Counts the triggers that wait or run in a process, by lane: the sum of its partitions.
import { families } from '../../loop/measuring/families.ts';
import type { Metrics } from '../../../primitives/metrics/metrics.ts';
import type { LaneName } from '../source/source-state.ts';

export type CountByLane = Record<LaneName, number>;

const lanes: readonly LaneName[] = ['hooks', 'runs', 'calls'];

export class QueueDepths {
  readonly #partitions = new Set<Readonly<CountByLane>>();

  /** Adds a partition, whose numbers can change until it leaves. */
  addPartition(partition: Readonly<CountByLane>): void {
    this.#partitions.add(partition);
  }

  removePartition(partition: Readonly<CountByLane>): void {
    this.#partitions.delete(partition);
  }

  depthOf(lane: LaneName): number {
    let sum = 0;
    for (const partition of this.#partitions) sum += partition[lane];
    return sum;
  }

  registerIn(metrics: Metrics): void {
    metrics.addReader((put) => {
      for (const lane of lanes) put(families.triggers, { lane }, this.depthOf(lane));
    });
  }
}
