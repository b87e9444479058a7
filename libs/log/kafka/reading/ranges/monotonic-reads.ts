// Keeps reads monotonic: later reads show everything that this process has read or saw acknowledged. For a moment a
// partition's new leader shows less than the old one did, without saying so.
import { setTimeout as delay } from 'node:timers/promises';
import { PortError } from '../../../../domain/port-error.ts';
import { Backoff } from '../../../../primitives/backoff.ts';
import type { PageBounds } from '../../../log.ts';
import type { OutboundRecord } from '../../kafkajs/producer/outbound-record.ts';
import { limits } from '../../kafka-limits.ts';
import type { PartitionReader } from './partition-reader.ts';
import type { RawPage } from '../raw-page.ts';

/** A commit is acknowledged some milliseconds before it can be read. */
const firstPauseMs = 2;
const longestPauseMs = 100;

export class MonotonicReads {
  readonly #reader: PartitionReader;
  /** The lowest end that each partition can have, by topic and partition; bounded by the number of partitions. */
  readonly #ends = new Map<string, number>();

  constructor(reader: PartitionReader) {
    this.#reader = reader;
  }

  /** To be called with acknowledged rows and their offsets. */
  recordAppended(rows: readonly OutboundRecord[], offsets: readonly number[]): void {
    for (const [i, { topic, partition }] of rows.entries())
      this.raiseKnownEnd(topic, partition, (offsets[i] ?? -1) + 1);
  }

  /** To be called when everything below `end` is known to exist. */
  raiseKnownEnd(topic: string, partition: number, end: number): void {
    const key = `${topic}/${partition}`;
    if (end > (this.#ends.get(key) ?? 0)) this.#ends.set(key, end);
  }

  /** A page that is empty only at `to`, or at the known end. Throws PortError `unavailable`. */
  async page(topic: string, partition: number, from: number, bounds: PageBounds): Promise<RawPage> {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const page = await this.#reader.page(topic, partition, from, bounds);
      if (page.messages.length > 0) this.raiseKnownEnd(topic, partition, page.next);
      if (page.messages.length > 0 || page.next >= this.#knownEnd(topic, partition, bounds)) return page;
      await this.end(topic, partition);
    }
    throw new PortError('unavailable', `${topic}/${partition} showed less than before from ${from} on; read it again`);
  }

  /** The last stable offset, once it has reached the known end. Throws PortError `unavailable`. */
  end(topic: string, partition: number): Promise<number> {
    return this.#waitForEnd(topic, partition, 0);
  }

  /**
   * The last stable offset, once it has reached the high watermark of the time of the call: partitions show the same
   * transaction at different times.
   */
  async settledEnd(topic: string, partition: number): Promise<number> {
    return this.#waitForEnd(topic, partition, await this.#reader.highWatermark(topic, partition));
  }

  async #waitForEnd(topic: string, partition: number, minimum: number): Promise<number> {
    const deadline = performance.now() + limits.catchUpMs;
    for (const backoff = new Backoff(firstPauseMs, longestPauseMs); ;) {
      const end = await this.#reader.end(topic, partition);
      const known = Math.max(this.#ends.get(`${topic}/${partition}`) ?? 0, minimum);
      if (end >= known) {
        this.raiseKnownEnd(topic, partition, end);
        return end;
      }
      if (performance.now() > deadline)
        throw new PortError('unavailable', `${topic}/${partition} ends at ${end} and not yet at ${known}, as it did`);
      await delay(backoff.next());
    }
  }

  #knownEnd(topic: string, partition: number, { to = Infinity }: PageBounds): number {
    return Math.min(this.#ends.get(`${topic}/${partition}`) ?? 0, to);
  }
}
