// Queues decided records for the log, in order, and returns portions of them that fit into one append.
import type { Appends } from '../../domain/flow.ts';
import type { Positions } from '../../log/log.ts';
import type { Output } from '../loop/stage.ts';
import { bytesOf } from './output-records.ts';
import type { LifecycleOutgoing } from './output-records.ts';

interface Entry {
  readonly records: readonly LifecycleOutgoing[];
  readonly bytes: number;
  readonly positions: Positions;
}

export class Outbox {
  readonly #entries: Entry[] = [];
  #bytes = 0;

  /** The size of the waiting records. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The `records` of one input are appended together, because a process is resumed from its events alone. */
  add(records: readonly LifecycleOutgoing[], positions: Positions): void {
    const bytes = records.reduce((sum, { record }) => sum + bytesOf(record), 0);
    this.#entries.push({ records, bytes, positions });
    this.#bytes += bytes;
  }

  /** As many entries from the front as fit, at least one; undefined when nothing waits. */
  take(bytesMax: number): Output<Appends<'lifecycle'>> | undefined {
    if (this.#entries.length === 0) return undefined;
    let bytes = 0;
    const beyond = this.#entries.findIndex((entry, index) => (bytes += entry.bytes) > bytesMax && index > 0);
    const taken = this.#entries.splice(0, beyond < 0 ? this.#entries.length : beyond);
    this.#bytes -= taken.reduce((sum, entry) => sum + entry.bytes, 0);
    const positions: Record<string, number> = {};
    for (const entry of taken) Object.assign(positions, entry.positions);
    return { records: taken.flatMap(({ records }) => records), positions };
  }
}
