// Keeps the newest records of one topic in memory: tails near the end read them, each parsed once, without the file.
import type { TopicName } from '../../../domain/flow.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import { sizes } from '../../../domain/sizes.ts';
import { decode } from '../../appending/encoding.ts';
import type { Page, PageBounds } from '../../log.ts';
import { PageBuilder } from '../../reading/page-builder.ts';
import type { CachedRecord } from './cached-record.ts';

/** Room for what others append before the readers of a large append read it. */
export const headroomBytes = 1024 * 1024;
/** The most bytes of JSON text per topic: enough to keep one append of the largest size until its readers come. */
const topicBytesMax = sizes.appendBytes + headroomBytes;
/**
 * This many bytes stay after every tail has read them, for reads of recent records. More would only grow old in memory:
 * records that are dropped young cost the garbage collector next to nothing.
 */
const retainedBytesMax = 256 * 1024;

/** The entries of one partition, oldest first from `head` on. */
interface Ring {
  /** The entries are all records of the partition from this offset on. */
  from: number;
  entries: CachedRecord[];
  head: number;
  /** The lowest offset that a tail reads next: called to make room, since tails read on without new records. */
  lowestNextOffset: () => number;
}

export class RecentRecords {
  readonly #topic: TopicName;
  readonly #rings = new Map<number, Ring>();
  /** The ring of each entry, oldest first from `#oldest` on. */
  #order: Ring[] = [];
  #oldest = 0;
  #bytes = 0;

  constructor(topic: TopicName) {
    this.#topic = topic;
  }

  /**
   * Every committed record of the topic must be pushed or skipped, in order. `lowestNextOffset` returns the lowest
   * offset that a tail of the partition reads next, at the time of the call. `end`: the partition's end before these
   * records, if known. The entries must not be used elsewhere afterwards.
   */
  push(
    partition: number,
    records: readonly CachedRecord[],
    lowestNextOffset: () => number,
    end = records[0]?.offset ?? 0,
  ): void {
    const ring = this.#rings.get(partition) ?? { from: end, entries: [], head: 0, lowestNextOffset };
    ring.lowestNextOffset = lowestNextOffset;
    this.#rings.set(partition, ring);
    for (const entry of records) {
      ring.entries.push(entry);
      this.#order.push(ring);
      this.#bytes += entry.bytes;
      while (this.#bytes > topicBytesMax) this.#dropOldest();
    }
    while (this.#bytes > retainedBytesMax && this.#isOldestRead) this.#dropOldest();
  }

  /** Call for a record that no tail waits for. It is not kept; after this gap the partition starts empty again. */
  skip(partition: number): void {
    const ring = this.#rings.get(partition);
    if (ring !== undefined) ring.lowestNextOffset = () => Infinity;
    this.#rings.delete(partition);
  }

  /** Returns the page from `from` up to the exclusive `limit`; undefined if memory might lack some of it. */
  read(partition: number, from: number, limit: number, bounds: PageBounds): Page | undefined {
    const ring = this.#rings.get(partition);
    if (ring === undefined || ring.head === ring.entries.length || from < ring.from) return undefined;
    const page = new PageBuilder(bounds);
    for (let i = lowerBound(ring, from); i < ring.entries.length; i++) {
      const entry = ring.entries[i];
      if (entry === undefined || entry.offset >= limit || !page.hasRoomFor(entry.bytes)) break;
      page.add(this.#parsed(entry, partition), entry.bytes);
    }
    return page.build(this.#topic, partition, { from, limit });
  }

  #parsed(entry: CachedRecord, partition: number): StoredRecord {
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
    return ring !== undefined && (ring.entries[ring.head]?.offset ?? 0) < ring.lowestNextOffset();
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

/** Returns the index of the first entry at or above the offset. */
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
