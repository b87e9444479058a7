// A tail in the process that appends: reads pages until there are no more, then sleeps until an append wakes it.
import type { TopicName } from '../../domain/flow.ts';
import { PortError } from '../../domain/port-error.ts';
import { Sleeper } from '../../primitives/sleeper.ts';
import { positionKey, Tail, type Log, type Page, type PageBounds, type Position } from '../log.ts';

interface Follower {
  readonly wake: () => void;
  /** The offset that the tail reads next. */
  readonly next: () => number;
}

/** Keeps which tails follow which partitions, and wakes them. */
export class Wakeups {
  readonly #followers = new Map<string, Set<Follower>>();
  readonly #closers = new Set<() => void>();

  /** Calls `wake` after every append to the partition until the returned function is called. */
  on(key: string, follower: Follower): () => void {
    const followers = this.#followers.get(key) ?? new Set();
    this.#followers.set(key, followers.add(follower));
    return () => {
      followers.delete(follower);
    };
  }

  /**
   * Returns the lowest offset that any tail of the partition reads next, asleep or not; Infinity if there is no tail.
   */
  lowestNextOffset(key: string): number {
    let lowest = Infinity;
    for (const { next } of this.#followers.get(key) ?? []) lowest = Math.min(lowest, next());
    return lowest;
  }

  wake(keys: Iterable<string>): void {
    for (const key of keys) for (const { wake } of this.#followers.get(key) ?? []) wake();
  }

  onClose(close: () => void): () => void {
    this.#closers.add(close);
    return () => {
      this.#closers.delete(close);
    };
  }

  close(): void {
    for (const close of this.#closers) close();
    this.#closers.clear();
    this.#followers.clear();
  }
}

interface FollowedPartition {
  readonly topic: TopicName;
  readonly partition: number;
  next: number;
  paused: boolean;
}

export class FollowingTail extends Tail {
  readonly #read: Log['read'];
  readonly #bounds: PageBounds;
  readonly #followed = new Map<string, FollowedPartition>();
  /** Partitions that might have unread records; the one that waits longest is first. */
  readonly #stale = new Set<FollowedPartition>();
  readonly #unsubscribers: (() => void)[];
  readonly #sleeper = new Sleeper();
  #closed = false;
  #busy = false;

  constructor(read: Log['read'], wakeups: Wakeups, from: readonly Position[], bounds: PageBounds) {
    super();
    this.#read = read;
    this.#bounds = bounds;
    this.#unsubscribers = [wakeups.onClose(() => void this.close())];
    for (const { topic, partition, offset } of from) {
      const followed: FollowedPartition = { topic, partition, next: offset, paused: false };
      const key = positionKey(topic, partition);
      this.#followed.set(key, followed);
      this.#stale.add(followed);
      const wake = (): void => {
        this.#stale.add(followed);
        if (!followed.paused) this.#sleeper.wake();
      };
      this.#unsubscribers.push(wakeups.on(key, { wake, next: () => followed.next }));
    }
  }

  async next(waitMs: number): Promise<readonly Page[]> {
    if (this.#closed) throw new PortError('closed', 'this tail was closed; open another one to read on');
    if (this.#busy) throw new Error('a tail takes one call of next() at a time');
    this.#busy = true;
    try {
      const pages = await this.#pages();
      if (pages.length > 0 || this.#closed) return pages;
      await this.#sleep(waitMs);
      return this.#closed ? [] : await this.#pages();
    } finally {
      this.#busy = false;
    }
  }

  pause(topic: TopicName, partition: number): void {
    this.#find(topic, partition).paused = true;
  }

  resume(topic: TopicName, partition: number): void {
    const followed = this.#find(topic, partition);
    followed.paused = false;
    if (this.#stale.has(followed)) this.#sleeper.wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const unsubscribe of this.#unsubscribers.splice(0)) unsubscribe();
    this.#sleeper.wake();
  }

  #find(topic: TopicName, partition: number): FollowedPartition {
    const followed = this.#followed.get(positionKey(topic, partition));
    if (followed === undefined) throw new Error(`this tail does not follow ${positionKey(topic, partition)}`);
    return followed;
  }

  /** Throws no failure after the first page, since that would lose the pages: the next call meets it again. */
  async #pages(): Promise<readonly Page[]> {
    const pages: Page[] = [];
    try {
      for (const followed of [...this.#stale]) {
        if (followed.paused) continue;
        const page = await this.#page(followed);
        if (page !== undefined) pages.push(page);
      }
    } catch (error) {
      if (pages.length === 0 && !this.#closed) throw error;
    }
    return pages;
  }

  /** Clears the mark before the read: an append during the read sets it again, so no record is overlooked. */
  async #page(followed: FollowedPartition): Promise<Page | undefined> {
    this.#stale.delete(followed);
    try {
      const page = await this.#read(followed.topic, followed.partition, followed.next, this.#bounds);
      const dropped = followed.paused && page.records.length > 0;
      if (page.records.length > 0) this.#stale.add(followed);
      if (dropped) return undefined;
      followed.next = page.next;
      return page.records.length > 0 ? page : undefined;
    } catch (error) {
      this.#stale.add(followed);
      throw error;
    }
  }

  /** Sleeps until a record arrives, a partition is resumed or the time is over; not if records have come already. */
  #sleep(waitMs: number): Promise<void> {
    for (const { paused } of this.#stale) if (!paused) return Promise.resolve();
    return this.#sleeper.sleep(waitMs);
  }
}
