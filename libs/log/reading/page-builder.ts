// Fills a page: accepts records up to its bounds, and determines where the next page starts.
import type { TopicName } from '../../domain/flow.ts';
import type { StoredRecord } from '../../domain/message.ts';
import type { Page, PageBounds } from '../log.ts';

export class PageBuilder {
  readonly #bounds: PageBounds;
  readonly #records: StoredRecord[] = [];
  #bytes = 0;
  #full = false;

  constructor(bounds: PageBounds) {
    this.#bounds = bounds;
  }

  /** Whether the next record, of this size, fits; the first one always does. */
  hasRoomFor(bytes: number): boolean {
    const { recordsMax, bytesMax } = this.#bounds;
    const fits = this.#records.length < recordsMax && this.#bytes + bytes <= bytesMax;
    this.#full = !fits && this.#records.length > 0;
    return !this.#full;
  }

  add(record: StoredRecord, bytes: number): void {
    this.#records.push(record);
    this.#bytes += bytes;
    if (this.#records.length >= this.#bounds.recordsMax) this.#full = true;
  }

  /** `limit`: the exclusive end of the range read. A page that is not full covers all of it, gaps included. */
  build(topic: TopicName, partition: number, { from, limit }: { from: number; limit: number }): Page {
    const nextOffset = (this.#records.at(-1)?.offset ?? from - 1) + 1;
    const page = { topic, partition, records: this.#records };
    if (!this.#full) return { ...page, next: Math.max(from, limit) };
    return { ...page, next: nextOffset, ...(nextOffset < limit ? { more: true } : {}) };
  }
}
