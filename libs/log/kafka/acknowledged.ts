// What this process was told to stand, so that what it reads afterwards holds that.
import type { PageBounds } from '../log.ts';
import type { Outbound } from './cloud-event.ts';
import type { PartitionReader } from './reading/partition-reader.ts';
import type { RawPage } from './reading/raw-page.ts';

/** A commit is acknowledged some milliseconds before its partitions show it; an open transaction of another may last. */
const behindMaxMs = 12_000;
const pauseMs = 2;

export class Acknowledged {
  readonly #reader: PartitionReader;
  /** The last offset, by topic and partition: bounded by how many partitions there are. */
  readonly #last = new Map<string, number>();

  constructor(reader: PartitionReader) {
    this.#reader = reader;
  }

  note(rows: readonly Outbound[], offsets: readonly number[]): void {
    for (const [i, { topic, partition }] of rows.entries()) {
      const key = `${topic}/${partition}`;
      this.#last.set(key, Math.max(this.#last.get(key) ?? -1, offsets[i] ?? -1));
    }
  }

  /** Never empty below what was acknowledged here. */
  async page(topic: string, partition: number, from: number, bounds: PageBounds): Promise<RawPage> {
    const page = await this.#reader.page(topic, partition, from, bounds);
    const last = this.#last.get(`${topic}/${partition}`) ?? -1;
    if (page.messages.length > 0 || page.next > last || last >= (bounds.to ?? Infinity)) return page;
    await this.end(topic, partition);
    return this.#reader.page(topic, partition, from, bounds);
  }

  /** The last stable offset, once it is above everything that was acknowledged here. */
  async end(topic: string, partition: number): Promise<number> {
    const last = this.#last.get(`${topic}/${partition}`) ?? -1;
    const until = Date.now() + behindMaxMs;
    for (;;) {
      const end = await this.#reader.end(topic, partition);
      if (end > last || Date.now() > until) return end;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
