// Range reads: pages of one partition, its ends, and its last record.
import { PortError } from '../../../domain/port-error.ts';
import { limits } from '../limits.ts';
import type { PageBounds } from '../../log.ts';
import type { RawMessage } from '../client/private-kafkajs.ts';
import { cut, type RawPage } from './raw-page.ts';
import type { Fetcher } from './fetcher.ts';

/** The last record is looked for this many offsets before the end, then eight times as many, and so on. */
const lastWithinOffsets = 64;
const lastGrowth = 8;

export class PartitionReader {
  readonly #fetcher: Fetcher;

  constructor(fetcher: Fetcher) {
    this.#fetcher = fetcher;
  }

  /** Empty only at the end, at `to`, or beyond everything. */
  async page(topic: string, partition: number, from: number, bounds: PageBounds): Promise<RawPage> {
    const bytes = Math.min(Math.max(bounds.bytesMax, limits.fetchBytesMin), limits.fetchBytes);
    for (let offset = from; ;) {
      if (offset >= (bounds.to ?? Infinity)) return { messages: [], rest: [], next: Math.max(from, bounds.to ?? from) };
      const [fetched] = await this.#fetcher.fetch([{ topic, partition, offset }], 0, bytes);
      if (fetched === undefined) throw new PortError('unavailable', `Kafka gave no answer for ${topic}/${partition}`);
      const page = cut(fetched.messages, fetched.next, bounds);
      const atEnd = fetched.beyond || fetched.next >= fetched.stableEnd;
      if (page.messages.length > 0 || atEnd) return { ...page, next: Math.max(page.next, from) };
      offset = fetched.next;
    }
  }

  end(topic: string, partition: number): Promise<number> {
    return this.#fetcher.offset(topic, partition, 'end');
  }

  /**
   * The last committed record, read backwards from the end: a compacted partition may hold thousands of older ones that
   * compaction has not come to yet.
   */
  async last(topic: string, partition: number): Promise<RawMessage | undefined> {
    const first = await this.#fetcher.offset(topic, partition, 'first');
    const end = await this.end(topic, partition);
    for (let span = lastWithinOffsets; ; span *= lastGrowth) {
      const from = Math.max(first, end - span);
      const found = await this.#lastBetween(topic, partition, from, end);
      if (found !== undefined || from === first) return found;
    }
  }

  async #lastBetween(topic: string, partition: number, from: number, end: number): Promise<RawMessage | undefined> {
    const bounds: PageBounds = { recordsMax: Infinity, bytesMax: limits.fetchBytes, to: end };
    let last: RawMessage | undefined;
    for (let next = from; next < end;) {
      const page = await this.page(topic, partition, next, bounds);
      last = page.messages.at(-1) ?? last;
      if (page.next <= next) break;
      next = page.next;
    }
    return last;
  }
}
