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
    const sizes = records.map(({ record }) => bytesOf(record));
    let left = sumOf(sizes);
    let from = 0;
    for (; left > cascadeBytesMax;) {
      const { to, bytes } = cascadePortion(records, sizes, from);
      if (to === from) break;
      this.#push({ records: records.slice(from, to), bytes, positions: {} });
      from = to;
      left -= bytes;
    }
    this.#push({ records: records.slice(from), bytes: left, positions });
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

  #push(entry: Entry): void {
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
  }
}

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, bytes) => sum + bytes, 0);

/** Where the portion of leading deletions that begins at `from` ends: each record is looked at once, however long the list. */
function cascadePortion(records: readonly Outgoing[], sizes: readonly number[], from: number) {
  let bytes = 0;
  for (let to = from; to < records.length - 1; to++) {
    const size = sizes[to] ?? 0;
    if (!endsSubscription(records[to]) || bytes + size > cascadeBytesMax) return { to, bytes };
    bytes += size;
  }
  return { to: Math.max(from, records.length - 1), bytes };
}

/** The fact, and with it what no longer stands. */
function endsSubscription(outgoing: Outgoing | undefined): boolean {
  if (outgoing === undefined) return false;
  const { topic, record } = outgoing;
  if (topic === 'answers') return true;
  return topic === 'subscriptions' ? record.data === undefined : record.type === 'SubscriptionDeleted';
}
