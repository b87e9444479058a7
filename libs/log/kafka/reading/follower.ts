// Follows partitions by long polls, for tails and for the receiver of replies.
import { setTimeout as delay } from 'node:timers/promises';
import { PortError } from '../../../domain/port-error.ts';
import { Sleeper } from '../../../primitives/sleeper.ts';
import type { PageBounds } from '../../log.ts';
import type { RawMessage } from '../kafkajs/kafka-protocol.ts';
import { limits } from '../kafka-limits.ts';
import { FetchSize } from './fetch-size.ts';
import type { Fetched, FetchPosition } from './fetcher.ts';
import type { PollerPool } from './poller-pool.ts';
import { bytesOfAll, cutPage } from './raw-page.ts';

/** One partition that is followed. */
class FollowedPartition {
  readonly topic: string;
  readonly partition: number;
  /** The offset that the next poll reads from. */
  next: number;
  /** The last stable offset when it was last polled. */
  stableEnd = 0;
  /** Fetched and not yet returned, oldest first. */
  fetched: readonly RawMessage[] = [];
  paused = false;
  /** The poll that covers it now. */
  poll: object | undefined;
  /** An answer had nothing of this partition, which has more records: the next poll asks for this partition alone. */
  needsOwnPoll = false;

  constructor(topic: string, partition: number, offset: number) {
    this.topic = topic;
    this.partition = partition;
    this.next = offset;
  }

  get isPollable(): boolean {
    return !this.paused && this.poll === undefined && this.fetched.length === 0;
  }
}

export interface FollowedPage {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly RawMessage[];
  readonly next: number;
  /** The partition already had more records when it was polled. */
  readonly more: boolean;
}

/** Records of a partition that were removed before they were read: `to` is the offset of the first that is left. */
export interface RemovedRange<Topic extends string = string> {
  readonly topic: Topic;
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

const keyOf = (topic: string, partition: number): string => `${topic}/${partition}`;

export class Follower {
  readonly #pollers: PollerPool;
  readonly #bounds: PageBounds;
  readonly #onRemoved: (removed: RemovedRange) => void;
  readonly #followed = new Map<string, FollowedPartition>();
  readonly #fetchSize = new FetchSize();
  #polls = 0;
  #failure: unknown;
  readonly #sleeper = new Sleeper();
  #closed = false;
  #busy = false;

  constructor(
    pollers: PollerPool,
    from: readonly FetchPosition[],
    bounds: PageBounds,
    onRemoved: (removed: RemovedRange) => void = () => {},
  ) {
    this.#pollers = pollers;
    this.#bounds = bounds;
    this.#onRemoved = onRemoved;
    for (const { topic, partition, offset } of from)
      this.#followed.set(keyOf(topic, partition), new FollowedPartition(topic, partition, offset));
  }

  /** Pages of the records that arrived, at most one for each partition; an empty list if none arrive in `waitMs`. */
  async next(waitMs: number): Promise<readonly FollowedPage[]> {
    if (this.#closed) throw new PortError('closed', 'this tail was closed; open another one to read on');
    if (this.#busy) throw new Error('a tail takes one call of next() at a time');
    this.#busy = true;
    try {
      return await this.#waitForPages(performance.now() + waitMs);
    } finally {
      this.#busy = false;
      this.#startPolls();
    }
  }

  pause(topic: string, partition: number): void {
    this.#find(topic, partition).paused = true;
  }

  resume(topic: string, partition: number): void {
    this.#find(topic, partition).paused = false;
    this.#sleeper.wake();
  }

  close(): void {
    this.#closed = true;
    this.#sleeper.wake();
  }

  #find(topic: string, partition: number): FollowedPartition {
    const followed = this.#followed.get(keyOf(topic, partition));
    if (followed === undefined) throw new Error(`this tail does not follow ${keyOf(topic, partition)}`);
    return followed;
  }

  async #waitForPages(deadline: number): Promise<readonly FollowedPage[]> {
    while (!this.#closed) {
      const pages = this.#pages();
      if (pages.length > 0) return pages;
      this.#throwFailure();
      this.#startPolls();
      const remainingMs = deadline - performance.now();
      if (remainingMs <= 0) return [];
      await this.#sleeper.sleep(remainingMs);
    }
    return [];
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  #pages(): readonly FollowedPage[] {
    const pages: FollowedPage[] = [];
    for (const followed of this.#followed.values()) {
      if (followed.paused || followed.fetched.length === 0) continue;
      const { topic, partition } = followed;
      const { messages, remainder, next } = cutPage(followed.fetched, followed.next, this.#bounds);
      followed.fetched = remainder;
      pages.push({ topic, partition, messages, next, more: next < followed.stableEnd });
    }
    return pages;
  }

  /**
   * Starts one poll for all partitions that none covers. While it waits, others cover those resumed or answered since.
   */
  #startPolls(): void {
    while (!this.#closed && this.#failure === undefined && this.#polls < limits.pollsPerTail) {
      const pollable = [...this.#followed.values()].filter((followed) => followed.isPollable);
      const single = pollable.find((followed) => followed.needsOwnPoll);
      const group = single === undefined ? pollable : [single];
      if (group.length === 0) return;
      void this.#poll(group);
    }
  }

  async #poll(group: readonly FollowedPartition[]): Promise<void> {
    const poll = {};
    this.#polls++;
    for (const followed of group) followed.poll = poll;
    try {
      const bounds = {
        waitMs: group.some(({ needsOwnPoll }) => needsOwnPoll) ? 0 : limits.pollMs,
        bytesMax: this.#fetchSize.bytes,
      };
      const wanted = group.map(({ topic, partition, next }) => ({ topic, partition, offset: next }));
      await this.#pollers.poll((fetcher) =>
        fetcher.fetchEach(wanted, bounds, (answers) => {
          this.#fetchSize.adapt({
            requestedBytes: bounds.bytesMax,
            unpackedBytes: answers.reduce((sum, { messages }) => sum + bytesOfAll(messages), 0),
            isFull: answers.some(({ next, stableEnd }) => next < stableEnd),
          });
          for (const answer of answers) this.#acceptAnswer(answer);
          this.#sleeper.wake();
        }),
      );
    } catch (error) {
      this.#failure = error;
      await delay(limits.pollPauseMs);
    } finally {
      for (const followed of group) if (followed.poll === poll) followed.poll = undefined;
      this.#polls--;
      this.#sleeper.wake();
    }
  }

  #acceptAnswer({ topic, partition, messages, next, stableEnd, isBeyondEnd, removedBelow = 0 }: Fetched): void {
    const followed = this.#find(topic, partition);
    if (isBeyondEnd)
      throw new PortError(
        'corrupt',
        `${keyOf(topic, partition)} ends at ${stableEnd}, before ${followed.next}, where reading continues: records were lost`,
      );
    // A tail that begins at 0 has lost nothing: it wants whatever is left.
    const from = followed.next;
    if (from > 0 && removedBelow > from) this.#onRemoved({ topic, partition, from, to: removedBelow });
    followed.needsOwnPoll = messages.length === 0 && next === followed.next && next < stableEnd;
    followed.fetched = messages;
    followed.next = next;
    followed.stableEnd = stableEnd;
    followed.poll = undefined;
  }
}
