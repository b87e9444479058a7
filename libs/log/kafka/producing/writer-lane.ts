// The appends of one owner of a stage's partition: transactions with their mark, its take-over and its recovery.
import { setTimeout as delay } from 'node:timers/promises';
import type { OwningStage } from '../../../domain/flow.ts';
import { PortError } from '../../../domain/port-error.ts';
import { sizes } from '../../../domain/sizes.ts';
import { encodeOne, type Encoded } from '../../appending/encoding.ts';
import type { Mark } from '../../log.ts';
import { markRecord } from '../../appending/mark-record.ts';
import type { Claim, MarkedAppends } from '../../appending/owned-writer.ts';
import { reachOf } from '../../appending/access.ts';
import { outboundOf, type Outbound } from '../encoding/cloud-event.ts';
import { limits } from '../kafka-limits.ts';
import type { Names } from '../topic-names.ts';
import type { Marks } from '../marks.ts';
import { isSuperseded } from '../client/kafka-errors.ts';
import type { KafkaServers } from '../servers.ts';
import { GroupCommit, type Entry } from './group-commit.ts';
import { TransactionVisibility } from './transaction-visibility.ts';
import { TransactionalProducer } from './transactional-producer.ts';

/** What a lane needs of its log. */
export interface LaneLog {
  readonly servers: KafkaServers;
  /** All that there are, with the prefix. */
  readonly topics: readonly string[];
  readonly names: Names;
  readonly partitions: number;
  readonly marks: Marks;
  /** Told of everything that was acknowledged here. */
  acknowledged(rows: readonly Outbound[], offsets: readonly number[]): void;
  checkOpen(): void;
}

interface MarkedEntry extends Entry {
  readonly mark: Mark;
}

/** Between attempts to take over from somebody who does the same. */
const takeOverPauseMs = 50;
const pauseAfter = (attempt: number): Promise<void> => delay(takeOverPauseMs * attempt * (1 + Math.random()));

export class WriterLane implements MarkedAppends {
  readonly #log: LaneLog;
  readonly #stage: OwningStage;
  readonly #partition: number;
  readonly #commits: GroupCommit<MarkedEntry>;
  readonly #visibility = new TransactionVisibility((ended) => this.#retake(ended));
  #producer: TransactionalProducer | undefined;
  /** The last mark that was acknowledged here. */
  #acknowledged: Mark | undefined;
  #restarting: Promise<unknown> = Promise.resolve();
  /** The one that takes over, or did last. */
  #taking: TransactionalProducer | undefined;
  #superseded = false;
  #closed = false;

  constructor(log: LaneLog, stage: OwningStage, partition: number) {
    this.#log = log;
    this.#stage = stage;
    this.#partition = partition;
    this.#commits = new GroupCommit({
      commit: (entries) => this.#commit(entries),
      groupBytesMax: sizes.appendBytes,
    });
  }

  get partitions(): number {
    return this.#log.partitions;
  }

  /** Fences the owner before, and gives the mark with a higher generation, which stands then. */
  async takeOver(): Promise<Mark> {
    for (let attempt = 1; ; attempt++) {
      if (!(await this.#restarted(attempt))) continue;
      const standing = await this.#log.marks.standing(this.#stage, this.#partition);
      const mark: Mark = { ...standing, generation: standing.generation + 1 };
      try {
        await this.#commit([{ rows: [], bytes: 0, mark }]);
        return mark;
      } catch (error) {
        const again = error instanceof PortError && error.retryable && attempt < limits.takeOvers;
        if (!again) throw error;
        await pauseAfter(attempt);
      }
    }
  }

  /** False when another process came in between, as those do that begin at once: to be tried again. */
  async #restarted(attempt: number): Promise<boolean> {
    try {
      await this.#restart();
      return true;
    } catch (error) {
      if (!isSuperseded(error) || attempt >= limits.takeOvers) throw error;
      await pauseAfter(attempt);
      return false;
    }
  }

  async append({ generation }: Claim, rows: readonly Encoded[], mark: Mark): Promise<readonly number[]> {
    this.#log.checkOpen();
    if (this.#superseded) throw this.#fenced('a newer owner in this process');
    const tag = { generation, batch: mark.batch };
    const outbound = rows.map((row) => outboundOf(row, this.#log.names.topic(row.topic), tag));
    return this.#commits.submit({ rows: outbound, bytes: outbound.reduce((sum, { bytes }) => sum + bytes, 0), mark });
  }

  /**
   * Asks for the mark before it fences anybody, so that an owner that wakes after a take-over gives up without disturbing
   * the newer one, and after it, because only then is what this owner left behind settled.
   */
  async recover({ generation }: Claim): Promise<Mark> {
    this.#log.checkOpen();
    await this.#commits.idle();
    return this.#alone(async () => {
      const standing = await this.#takeOverAgain(generation);
      this.#visibility.settled();
      this.#acknowledged = standing;
      return standing;
    });
  }

  /** A newer lane of this process owns the partition now. */
  supersede(): void {
    this.#superseded = true;
    void this.close();
  }

  release(): Promise<void> {
    return this.close();
  }

  /** After what is in flight. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#visibility.end();
    await this.#commits.idle();
    this.#producer?.close();
    this.#taking?.close();
    await this.#visibility.idle();
  }

  /**
   * The last transaction does not show: to take over even from ourselves makes Kafka end it. Nothing is appended behind
   * it unless it stands then, and nobody else's mark: the stage meets an ended producer, and recovers.
   */
  #retake(ended: TransactionalProducer): Promise<void> {
    return this.#alone(async () => {
      const last = this.#acknowledged;
      if (this.#producer !== ended || last === undefined) return;
      const { batch } = await this.#takeOverAgain(last.generation);
      if (batch >= last.batch) return;
      this.#producer.close();
      throw new Error(`batch ${last.batch} of ${this.#stage}/${this.#partition} was acknowledged and does not stand`);
    });
  }

  /** From ourselves, and from nobody else: gives the mark that stands. */
  async #takeOverAgain(generation: number): Promise<Mark> {
    this.#checkNotFollowed(generation, await this.#log.marks.visible(this.#stage, this.#partition));
    await this.#restart();
    try {
      const standing = await this.#log.marks.standing(this.#stage, this.#partition);
      this.#checkOwned(generation, standing);
      return standing;
    } catch (error) {
      this.#producer?.close();
      throw error;
    }
  }

  /** Two take-overs at once would fence each other. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#restarting.then(work);
    this.#restarting = result.catch(() => {});
    return result;
  }

  #checkNotFollowed(generation: number, mark: Mark): void {
    if (this.#superseded || mark.generation > generation) throw this.#fenced(`generation ${mark.generation}`);
  }

  /** Below its own generation stands the mark of somebody who did not know of it: to be owned again, under a new one. */
  #checkOwned(generation: number, mark: Mark): void {
    if (this.#superseded || mark.generation !== generation) throw this.#fenced(`generation ${mark.generation}`);
  }

  async #restart(): Promise<void> {
    this.#producer?.close();
    this.#checkOpen();
    const { servers, topics, names, partitions } = this.#log;
    const { own, shared } = reachOf(this.#stage, this.#partition, partitions);
    const producer = new TransactionalProducer({
      servers,
      topics,
      transactionalId: names.owner(this.#stage, this.#partition),
      writes: { own: names.places(own), shared: names.places(shared) },
      limitMs: limits.takeOverMs,
    });
    this.#taking = producer;
    await producer.takeOver();
    if (this.#closed) producer.close();
    this.#checkOpen();
    this.#producer = producer;
  }

  /** Once this lane was closed the partition may be somebody else's, whom a take-over would disturb. */
  #checkOpen(): void {
    if (this.#superseded) throw this.#fenced('a newer owner in this process');
    if (this.#closed) throw new PortError('closed', `the lane of ${this.#stage}/${this.#partition} was closed`);
  }

  /** Only the last mark of the group: the ones before it would be gone at the next compaction. */
  async #commit(entries: readonly MarkedEntry[]): Promise<readonly number[]> {
    const mark = entries.at(-1)?.mark;
    await this.#visibility.over(2 * limits.shownMs);
    const producer = this.#producer;
    if (mark === undefined || producer === undefined) throw new Error('a commit needs a mark and a producer');
    const rows = [...entries.flatMap((entry) => entry.rows), this.#markRow(mark)];
    const offsets = await producer.append(rows);
    this.#acknowledged = mark;
    this.#visibility.watch(producer);
    this.#log.acknowledged(rows, offsets);
    return offsets;
  }

  #markRow(mark: Mark): Outbound {
    const row = encodeOne(markRecord(this.#stage, this.#partition, mark, Date.now()));
    return outboundOf(row, this.#log.names.topic(row.topic), mark);
  }

  #fenced(by: string): PortError {
    return new PortError('fenced', `${this.#stage}/${this.#partition} has a newer owner, ${by}; give up`);
  }
}
