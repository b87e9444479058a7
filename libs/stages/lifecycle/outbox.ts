// What was decided and is not on the log yet, in order, given out in portions that fit into one append.
import type { Outgoing, Positions } from '../../log/log.ts';
import type { Output } from '../loop/stage.ts';
import { bytesOf } from './output-records.ts';

/**
 * What one input leads to is appended together, since a process is resumed from its events alone. Only the deletions that
 * lead a long cascade may go ahead, in portions of this size: those that are left are decided again after a crash.
 */
const cascadeBytesMax = 1024 * 1024;

interface Entry {
  readonly records: readonly Outgoing[];
  readonly bytes: number;
  readonly positions: Positions;
}

export class Outbox {
  readonly #entries: Entry[] = [];
  #bytes = 0;

  /** Bytes of records that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** `positions` are reached once all of `records` are on the log. */
  add(records: readonly Outgoing[], positions: Positions): void {
    let rest = records;
    while (bytesOfAll(rest) > cascadeBytesMax) {
      const ahead = cascadePortion(rest);
      if (ahead === 0) break;
      this.#push(rest.slice(0, ahead), {});
      rest = rest.slice(ahead);
    }
    this.#push(rest, positions);
  }

  /** As many entries from the front as fit, at least one; undefined when nothing waits. */
  take(bytesMax: number): Output | undefined {
    if (this.#entries.length === 0) return undefined;
    let bytes = 0;
    const beyond = this.#entries.findIndex((entry, index) => (bytes += entry.bytes) > bytesMax && index > 0);
    const taken = this.#entries.splice(0, beyond < 0 ? this.#entries.length : beyond);
    this.#bytes -= taken.reduce((sum, entry) => sum + entry.bytes, 0);
    const positions: Record<string, number> = {};
    for (const entry of taken) Object.assign(positions, entry.positions);
    return { records: taken.flatMap(({ records }) => records), positions };
  }

  #push(records: readonly Outgoing[], positions: Positions): void {
    const bytes = bytesOfAll(records);
    this.#entries.push({ records, bytes, positions });
    this.#bytes += bytes;
  }
}

const bytesOfAll = (records: readonly Outgoing[]): number =>
  records.reduce((sum, { record }) => sum + bytesOf(record), 0);

/** How many of the leading deletions make one portion. */
function cascadePortion(records: readonly Outgoing[]): number {
  let bytes = 0;
  const end = records.findIndex(({ record }) => {
    bytes += bytesOf(record);
    return record.type !== 'SubscriptionDeleted' || bytes > cascadeBytesMax;
  });
  return end < 0 ? records.length - 1 : end;
}
