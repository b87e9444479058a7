// The main thread's view of the committed records: each partition's end, and pages from memory or the file.
import type { TopicName } from '../../../domain/flow.ts';
import { positionKey, type Page, type PageBounds } from '../../log.ts';
import type { CachedRecord } from './cached-record.ts';
import type { LogPages } from './pages.ts';
import { RecentRecords } from './recent-records.ts';

export class CommittedRecords {
  readonly #pages: LogPages;
  readonly #trimmed: Map<string, number>;
  readonly #recent = new Map<TopicName, RecentRecords>();
  readonly #ends = new Map<TopicName, Map<number, number>>();

  constructor(pages: LogPages) {
    this.#pages = pages;
    this.#trimmed = new Map(pages.trimOffsets());
  }

  /**
   * Call with every record, in offset order of its topic; keeps in memory only those of partitions that are followed.
   * `lowestNextOffset` returns the lowest offset that a follower reads next, at each call; Infinity if there is none.
   */
  add(topic: TopicName, partition: number, records: readonly CachedRecord[], lowestNextOffset: () => number): void {
    const last = records.at(-1);
    if (last === undefined) return;
    const ends = this.#endsOf(topic);
    if (lowestNextOffset() < Infinity)
      this.#recentOf(topic).push(partition, records, lowestNextOffset, ends.get(partition));
    else this.#recent.get(topic)?.skip(partition);
    ends.set(partition, last.offset + 1);
  }

  /** Call after an unknown outcome: the memory might lack records of these topics, and only the file is right. */
  forgetTopics(topics: readonly TopicName[]): void {
    for (const topic of topics) {
      this.#recent.delete(topic);
      this.#ends.delete(topic);
    }
  }

  /** The end is read from the file once, then updated with each commit. */
  end(topic: TopicName, partition: number): number {
    const ends = this.#endsOf(topic);
    const end = ends.get(partition) ?? this.#pages.end(topic, partition);
    ends.set(partition, end);
    return end;
  }

  /** Makes reads return no record below the offset. */
  trim(topic: TopicName, partition: number, below: number): void {
    const key = positionKey(topic, partition);
    this.#trimmed.set(key, Math.max(below, this.#trimmed.get(key) ?? 0));
  }

  read(topic: TopicName, partition: number, from: number, bounds: PageBounds): Page {
    const limit = Math.min(bounds.to ?? Infinity, this.end(topic, partition));
    if (from >= limit) return { topic, partition, records: [], next: from };
    const first = Math.min(limit, Math.max(from, this.#trimmed.get(positionKey(topic, partition)) ?? 0));
    const recent = this.#recent.get(topic)?.read(partition, first, limit, bounds);
    return recent ?? this.#pages.read({ topic, partition }, { from: first, limit }, bounds);
  }

  #recentOf(topic: TopicName): RecentRecords {
    const known = this.#recent.get(topic);
    if (known !== undefined) return known;
    const made = new RecentRecords(topic);
    this.#recent.set(topic, made);
    return made;
  }

  #endsOf(topic: TopicName): Map<number, number> {
    const known = this.#ends.get(topic);
    if (known !== undefined) return known;
    const made = new Map<number, number>();
    this.#ends.set(topic, made);
    return made;
  }
}
