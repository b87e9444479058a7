// Reads ranges: pages of one partition, its ends, and its last record.
import { PortError } from '../../../../domain/port-error.ts';
import { limits } from '../../kafka-limits.ts';
import type { PageBounds } from '../../../log.ts';
import type { RawMessage } from '../../kafkajs/kafka-protocol.ts';
import { FetchSize } from '../fetch-size.ts';
import { bytesOfAll, cutPage, type RawPage } from '../raw-page.ts';
import type { Fetcher } from '../fetcher.ts';

/** The search for the last record begins this many offsets before the end, then eight times as many, and so on. */
const lastWithinOffsets = 64;
const lastGrowth = 8;

/** One for each of this many concurrent readers of old records; each holds the rest of one fetch. */
const remaindersMax = 4;

/** Fetched messages that did not fit into a page: all that there are from `from` up to `next`, and at least one. */
interface Remainder {
  readonly topic: string;
  readonly partition: number;
  readonly from: number;
  readonly messages: readonly RawMessage[];
  readonly next: number;
}

export class PartitionReader {
  readonly #fetcher: Fetcher;
  readonly #fetchSize = new FetchSize();
  /** Oldest first. */
  #remainders: Remainder[] = [];

  constructor(fetcher: Fetcher) {
    this.#fetcher = fetcher;
  }

  /**
   * A page that is empty only at the end, at `to`, or above the end. A fetch returns whole batches; what does not fit
   * into the page is kept for the next one, also if that begins further on. Otherwise each page of a batch would fetch
   * it again.
   */
  async page(topic: string, partition: number, from: number, bounds: PageBounds): Promise<RawPage> {
    if (from >= (bounds.to ?? Infinity)) return emptyPage(from);
    const remainder = this.#takeRemainder(topic, partition, from);
    const page =
      remainder === undefined
        ? await this.#fetch(topic, partition, from, bounds)
        : cutPage(remainder.messages, remainder.next, bounds);
    if (page.remainder.length > 0)
      this.#keepRemainder({ topic, partition, from: page.next, messages: page.remainder, next: page.end });
    return page;
  }

  /** Also drops the partition's remainders: nobody reads them any more. Throws PortError `unavailable`. */
  async deleteBelow(topic: string, partition: number, offset: number): Promise<void> {
    await this.#fetcher.deleteBelow({ topic, partition, offset });
    this.#remainders = this.#remainders.filter((one) => one.topic !== topic || one.partition !== partition);
  }

  /** Removes and returns the remainder that holds the offset `from`, with its messages from there on. */
  #takeRemainder(topic: string, partition: number, from: number): Remainder | undefined {
    const index = this.#remainders.findIndex(
      (one) => one.topic === topic && one.partition === partition && one.from <= from && from < one.next,
    );
    const remainder = this.#remainders[index];
    if (remainder === undefined) return undefined;
    this.#remainders.splice(index, 1);
    const messages =
      from === remainder.from ? remainder.messages : remainder.messages.slice(lowerBound(remainder.messages, from));
    return messages.length === 0 ? undefined : { ...remainder, from, messages };
  }

  #keepRemainder(remainder: Remainder): void {
    this.#remainders.push(remainder);
    if (this.#remainders.length > remaindersMax) this.#remainders.shift();
  }

  async #fetch(topic: string, partition: number, from: number, bounds: PageBounds): Promise<RawPage> {
    for (let offset = from; ;) {
      if (bounds.to !== undefined && offset >= bounds.to) return emptyPage(bounds.to);
      const usualBytes = this.#fetchSize.bytes;
      // A small page comes from one batch: a reader of scattered single records needs nothing that follows.
      const fetchBytes = Math.min(usualBytes, Math.max(bounds.bytesMax, limits.fetchBytesMin));
      const [fetched] = await this.#fetcher.fetch([{ topic, partition, offset }], 0, fetchBytes);
      if (fetched === undefined) throw new PortError('unavailable', `Kafka gave no answer for ${topic}/${partition}`);
      const page = cutPage(fetched.messages, fetched.next, bounds);
      const atEnd = fetched.isBeyondEnd || fetched.next >= fetched.stableEnd;
      if (fetchBytes === usualBytes)
        this.#fetchSize.adapt({
          requestedBytes: fetchBytes,
          unpackedBytes: bytesOfAll(fetched.messages),
          isFull: !atEnd,
        });
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

/** The index of the first message at or above the offset. */
function lowerBound(messages: readonly RawMessage[], offset: number): number {
  let [low, high] = [0, messages.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Number(messages[middle]?.offset) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

const emptyPage = (next: number): RawPage => ({ messages: [], remainder: [], next, end: next });
