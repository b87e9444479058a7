// The newest records of one topic in memory: tails at the end read them here, each parsed once, without the file.
import type { TopicName } from '../../../domain/flow.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import { sizes } from '../../../domain/sizes.ts';
import { decode } from '../../appending/encoding.ts';
import type { Page, PageBounds } from '../../log.ts';
import { PageFilling } from '../../reading/page-filling.ts';
import type { Arrived } from './arrived.ts';

/** What others append while the readers of a large append are on their way to it. */
export const besideBytes = 1024 * 1024;
/** JSON text of each topic's newest records: enough to keep one append of the largest size until its readers come. */
const topicBytesMax = sizes.appendBytes + besideBytes;
/**
 * Of these as many stay when every tail has read them, for reads of what has just been. More would only grow old in
 * memory: records that are dropped young cost the garbage collector next to nothing.
 */
const readBytesMax = 256 * 1024;

/** Entries of one partition, oldest first from `head` on. */
interface Ring {
  /** From this offset on the partition has no other records. */
  from: number;
  entries: Arrived[];
  head: number;
  /** The lowest offset that a tail reads next: asked when room is made, since a quiet partition's tails read on. */
  readTo: () => number;
}

export class RecentRecords {
  readonly #topic: TopicName;
  readonly #rings = new Map<number, Ring>();
  /** Which ring each entry went to, oldest first from `#oldest` on. */
  #order: Ring[] = [];
  #oldest = 0;
  #bytes = 0;

  constructor(topic: TopicName) {
    this.#topic = topic;
  }

  /**
   * Every record of the topic that is committed is pushed or skipped, in the order of their offsets. `readTo`: the
   * lowest offset that a tail of the partition reads next, at the time of the call. `end`: that of the partition before
   * them, if it is known. The entries belong to this from now on.
   */
  push(partition: number, arrived: readonly Arrived[], readTo: () => number, end = arrived[0]?.offset ?? 0): void {
    const ring = this.#rings.get(partition) ?? { from: end, entries: [], head: 0, readTo };
    ring.readTo = readTo;
    this.#rings.set(partition, ring);
    for (const entry of arrived) {
      ring.entries.push(entry);
      this.#order.push(ring);
      this.#bytes += entry.bytes;
      while (this.#bytes > topicBytesMax) this.#dropOldest();
    }
    while (this.#bytes > readBytesMax && this.#isOldestRead) this.#dropOldest();
  }

  /** A record that no tail waits for is not kept. That leaves a gap, so the partition's memory starts afresh. */
  skip(partition: number): void {
    const ring = this.#rings.get(partition);
    if (ring !== undefined) ring.readTo = () => Infinity;
    this.#rings.delete(partition);
  }

  /** The page from `from` up to the exclusive `limit`; undefined when memory may no longer hold it. */
  read(partition: number, from: number, limit: number, bounds: PageBounds): Page | undefined {
    const ring = this.#rings.get(partition);
    if (ring === undefined || ring.head === ring.entries.length || from < ring.from) return undefined;
    const page = new PageFilling(bounds);
    for (let i = lowerBound(ring, from); i < ring.entries.length; i++) {
      const entry = ring.entries[i];
      if (entry === undefined || entry.offset >= limit || !page.takes(entry.bytes)) break;
      page.add(this.#parsed(entry, partition), entry.bytes);
    }
    return page.finished(this.#topic, partition, { from, limit });
  }

  #parsed(entry: Arrived, partition: number): StoredRecord {
    if (entry.record !== undefined) return entry.record;
    const { content = '', offset } = entry;
    const place = { topic: this.#topic, partition, offset };
    const record =
      typeof content === 'string' ? decode(content, this.#topic, partition, offset) : { ...content, ...place };
    entry.record = record;
    entry.content = undefined;
    return record;
  }

  get #isOldestRead(): boolean {
    const ring = this.#order[this.#oldest];
    return ring !== undefined && (ring.entries[ring.head]?.offset ?? 0) < ring.readTo();
  }

  #dropOldest(): void {
    const ring = this.#order[this.#oldest++];
    const dropped = ring?.entries[ring.head];
    if (ring === undefined || dropped === undefined) throw new Error('an entry is in the order and in no ring');
    this.#bytes -= dropped.bytes;
    dropped.content = undefined;
    dropped.record = undefined;
    ring.from = dropped.offset + 1;
    ring.head++;
    if (ring.head * 2 > ring.entries.length) {
      ring.entries = ring.entries.slice(ring.head);
      ring.head = 0;
    }
    if (this.#oldest * 2 > this.#order.length) {
      this.#order = this.#order.slice(this.#oldest);
      this.#oldest = 0;
    }
  }
}

/** The first entry at or above the offset. */
function lowerBound({ entries, head }: Ring, offset: number): number {
  let low = head;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.offset ?? Infinity) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
