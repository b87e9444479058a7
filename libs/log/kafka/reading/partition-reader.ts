// Range reads: pages of one partition, its ends, and its last record.
import { PortError } from '../../../domain/port-error.ts';
import { limits } from '../kafka-limits.ts';
import type { PageBounds } from '../../log.ts';
import type { RawMessage } from '../kafkajs/protocol.ts';
import { FetchSize } from './fetch-size.ts';
import { bytesOfAll, cut, type RawPage } from './raw-page.ts';
import type { Fetcher } from './fetcher.ts';

/** The search for the last record begins this many offsets before the end, then eight times as many, and so on. */
const lastWithinOffsets = 64;
const lastGrowth = 8;

/** One for each of this many concurrent readers of old records; each holds what one fetch gave. */
const remaindersMax = 4;

/** Fetched messages that did not fit into a page. */
interface Remainder {
  readonly messages: readonly RawMessage[];
  readonly next: number;
}

export class PartitionReader {
  readonly #fetcher: Fetcher;
  readonly #fetchSize = new FetchSize();
  /** By the place where the next page begins, oldest first. */
  readonly #remainders = new Map<string, Remainder>();

  constructor(fetcher: Fetcher) {
    this.#fetcher = fetcher;
  }

  /**
   * Empty only at the end, at `to`, or above the end. A fetch gives whole batches; what does not fit into the page is
   * kept for the next one. Otherwise each page of a batch would fetch the whole batch again.
   */
  async page(topic: string, partition: number, from: number, bounds: PageBounds): Promise<RawPage> {
    if (from >= (bounds.to ?? Infinity)) return nothing(from);
    const key = `${topic}/${partition}/${from}`;
    const kept = this.#remainders.get(key);
    this.#remainders.delete(key);
    const page =
      kept === undefined ? await this.#fetch(topic, partition, from, bounds) : cut(kept.messages, kept.next, bounds);
    if (page.rest.length > 0) this.#keep(`${topic}/${partition}/${page.next}`, { messages: page.rest, next: page.end });
    return page;
  }

  /** Also drops the partition's remainders: nobody reads them any more. Throws PortError `unavailable`. */
  async deleteBelow(topic: string, partition: number, offset: number): Promise<void> {
    await this.#fetcher.deleteBelow({ topic, partition, offset });
    for (const key of this.#remainders.keys())
      if (key.startsWith(`${topic}/${partition}/`)) this.#remainders.delete(key);
  }

  #keep(key: string, remainder: Remainder): void {
    this.#remainders.set(key, remainder);
    const [oldest] = this.#remainders.keys();
    if (this.#remainders.size > remaindersMax && oldest !== undefined) this.#remainders.delete(oldest);
  }

  async #fetch(topic: string, partition: number, from: number, bounds: PageBounds): Promise<RawPage> {
    for (let offset = from; ;) {
      if (bounds.to !== undefined && offset >= bounds.to) return nothing(bounds.to);
      const [fetched] = await this.#fetcher.fetch([{ topic, partition, offset }], 0, this.#fetchSize.bytes);
      if (fetched === undefined) throw new PortError('unavailable', `Kafka gave no answer for ${topic}/${partition}`);
      this.#fetchSize.learn(bytesOfAll(fetched.messages));
      const page = cut(fetched.messages, fetched.next, bounds);
      const atEnd = fetched.beyond || fetched.next >= fetched.stableEnd;
      if (page.messages.length > 0 || atEnd) return { ...page, next: Math.max(page.next, from) };
      offset = fetched.next;
    }
  }

  end(topic: string, partition: number): Promise<number> {
    return this.#fetcher.offset(topic, partition, 'stable');
  }

  /** The end with undecided records included. */
  highWatermark(topic: string, partition: number): Promise<number> {
    return this.#fetcher.offset(topic, partition, 'all');
  }

  /**
   * The last committed record below `end`, searched backwards: a compacted partition may hold thousands of older
   * records that compaction has not removed yet.
   */
  async last(topic: string, partition: number, end: number): Promise<RawMessage | undefined> {
    const first = await this.#fetcher.offset(topic, partition, 'first');
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
      // Without this check an older record would pass for the last one.
      if (page.next <= next)
        throw new PortError('unavailable', `${topic}/${partition} does not show yet that it ends at ${end}`);
      next = page.next;
    }
    return last;
  }
}

const nothing = (next: number): RawPage => ({ messages: [], rest: [], next, end: next });
