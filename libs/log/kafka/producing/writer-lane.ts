// Carries out the appends of one owner of a stage's partition as transactions with its mark; takes over and recovers.
import { setTimeout as delay } from 'node:timers/promises';
import type { OwningStage } from '../../../domain/flow.ts';
import { PortError } from '../../../domain/port-error.ts';
import { sizes } from '../../../domain/sizes.ts';
import { encodeOne, type EncodedRecord } from '../../appending/encoding.ts';
import type { Mark } from '../../log.ts';
import { markRecord } from '../../appending/mark-record.ts';
import type { Claim, WriterBackend } from '../../appending/owned-writer.ts';
import { writeScopeOf } from '../../appending/access.ts';
import { outboundOf } from '../encoding/cloud-event.ts';
import type { KnownOutcomes } from '../kafkajs/producer/known-outcomes.ts';
import type { OutboundRecord } from '../kafkajs/producer/outbound-record.ts';
import { limits } from '../kafka-limits.ts';
import type { KafkaNames } from '../kafka-names.ts';
import type { Marks } from '../reading/ranges/marks.ts';
import { isSuperseded } from '../kafkajs/client/kafka-errors.ts';
import type { KafkaServers } from '../servers.ts';
import { GroupCommit, type Entry } from './group-commit.ts';
import { TransactionVisibility } from './transaction-visibility.ts';
import { TransactionalProducer } from './transactional-producer.ts';

/** The parts of its log that a lane uses. */
export interface LaneLog {
  readonly servers: KafkaServers;
  /** All topics, with the prefix. */
  readonly topics: readonly string[];
  readonly outcomes: KnownOutcomes;
  readonly names: KafkaNames;
  readonly partitions: number;
  readonly marks: Marks;
  /** Called with all records that the lane's appends have stored. */
  onAcknowledged(rows: readonly OutboundRecord[], offsets: readonly number[]): void;
  checkOpen(): void;
}

interface MarkedEntry extends Entry {
  readonly mark: Mark;
}

/** Between attempts, while another process takes the same partition over. */
const takeOverPauseMs = 50;
const pauseAfter = (attempt: number): Promise<void> => delay(takeOverPauseMs * attempt * (1 + Math.random()));

export class WriterLane implements WriterBackend {
  readonly #log: LaneLog;
  readonly #stage: OwningStage;
  readonly #partition: number;
  readonly #commits: GroupCommit<MarkedEntry>;
  readonly #visibility = new TransactionVisibility((ended) => this.#takeOverFromSelf(ended));
  #producer: TransactionalProducer | undefined;
  /** The mark of this lane's last acknowledged append. */
  #acknowledged: Mark | undefined;
  #lastTakeOver: Promise<unknown> = Promise.resolve();
  /** The producer that is taking over, or did so last. */
  #takeOverProducer: TransactionalProducer | undefined;
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

  /** Fences the former owner, commits a mark with a higher generation, and returns it. */
  async takeOver(): Promise<Mark> {
    for (let attempt = 1; ; attempt++) {
      if (!(await this.#tryRestart(attempt))) continue;
      const currentMark = await this.#log.marks.settledMark(this.#stage, this.#partition);
      const mark: Mark = { ...currentMark, generation: currentMark.generation + 1 };
      try {
        await this.#commit([{ rows: [], bytes: 0, mark }]);
        return mark;
      } catch (error) {
        const shouldRetry = error instanceof PortError && error.retryable && attempt < limits.takeOverAttempts;
        if (!shouldRetry) throw error;
        await pauseAfter(attempt);
      }
    }
  }

  /** False when another process interfered, as happens when several begin at once: try again. */
  async #tryRestart(attempt: number): Promise<boolean> {
    try {
      await this.#restart();
      return true;
    } catch (error) {
      if (!isSuperseded(error) || attempt >= limits.takeOverAttempts) throw error;
      await pauseAfter(attempt);
      return false;
    }
  }

  async append({ generation }: Claim, rows: readonly EncodedRecord[], mark: Mark): Promise<readonly number[]> {
    this.#log.checkOpen();
    if (this.#superseded) throw this.#fencedError('a newer owner in this process');
    const tag = { generation, batch: mark.batch };
    const outbound = rows.map((row) => outboundOf(row, this.#log.names.topic(row.topic), tag));
    return this.#commits.submit({ rows: outbound, bytes: outbound.reduce((sum, { bytes }) => sum + bytes, 0), mark });
  }

  /**
   * Reads the mark before and after fencing. Before: so that an owner that wakes after a take-over stops without
   * disturbing the newer one. After: only then are the transactions settled that this owner left open.
   */
  async recover({ generation }: Claim): Promise<Mark> {
    this.#log.checkOpen();
    await this.#commits.waitUntilIdle();
    return this.#runExclusively(async () => {
      const currentMark = await this.#takeOverAgain(generation);
      this.#visibility.markSettled();
      this.#acknowledged = currentMark;
      return currentMark;
    });
  }

  /** To be called when a newer lane of this process owns the partition. */
  supersede(): void {
    this.#superseded = true;
    void this.close();
  }

  release(): Promise<void> {
    return this.close();
  }

  /** Closes once appends in flight have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#visibility.stop();
    await this.#commits.waitUntilIdle();
    this.#producer?.close();
    this.#takeOverProducer?.close();
    await this.#visibility.waitUntilIdle();
  }

  /**
   * Takes over from this lane itself, because its last transaction cannot be read and a take-over makes Kafka end it.
   * Appends continue only if its mark is then on the log and no other owner's. Otherwise the producer stays ended: the
   * next append fails, and the stage recovers.
   */
  #takeOverFromSelf(ended: TransactionalProducer): Promise<void> {
    return this.#runExclusively(async () => {
      const last = this.#acknowledged;
      if (this.#producer !== ended || last === undefined) return;
      const { batch } = await this.#takeOverAgain(last.generation);
      if (batch >= last.batch) return;
      this.#producer.close();
      throw new Error(
        `batch ${last.batch} of ${this.#stage}/${this.#partition} was acknowledged and is not on the log`,
      );
    });
  }

  /** Takes over from this lane itself, and from no other owner; returns the mark that is on the log. */
  async #takeOverAgain(generation: number): Promise<Mark> {
    this.#checkNoNewerOwner(generation, await this.#log.marks.visibleMark(this.#stage, this.#partition));
    await this.#restart();
    try {
      const currentMark = await this.#log.marks.settledMark(this.#stage, this.#partition);
      this.#checkGeneration(generation, currentMark);
      return currentMark;
    } catch (error) {
      this.#producer?.close();
      throw error;
    }
  }

  /** Does one take-over at a time: two at once would fence each other. */
  #runExclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastTakeOver.then(work);
    this.#lastTakeOver = result.catch(() => {});
    return result;
  }

  #checkNoNewerOwner(generation: number, mark: Mark): void {
    if (this.#superseded || mark.generation > generation) throw this.#fencedError(`generation ${mark.generation}`);
  }

  /**
   * A mark with a lower generation is from an owner that did not know of this one: own the partition again, under a new
   * generation.
   */
  #checkGeneration(generation: number, mark: Mark): void {
    if (this.#superseded || mark.generation !== generation) throw this.#fencedError(`generation ${mark.generation}`);
  }

  async #restart(): Promise<void> {
    this.#producer?.close();
    this.#checkOpen();
    const { servers, topics, outcomes, names, partitions } = this.#log;
    const { own, shared } = writeScopeOf(this.#stage, this.#partition, partitions);
    const producer = new TransactionalProducer({
      servers,
      topics,
      outcomes,
      transactionalId: names.transactionalId(this.#stage, this.#partition),
      writeScope: { own: names.topicPartitionsOf(own), shared: names.topicPartitionsOf(shared) },
      limitMs: limits.takeOverMs,
    });
    this.#takeOverProducer = producer;
    await producer.takeOver();
    if (this.#closed) producer.close();
    this.#checkOpen();
    this.#producer = producer;
  }

  /** Once this lane is closed the partition may have another owner, which a take-over would disturb. */
  #checkOpen(): void {
    if (this.#superseded) throw this.#fencedError('a newer owner in this process');
    if (this.#closed) throw new PortError('closed', `the lane of ${this.#stage}/${this.#partition} was closed`);
  }

  /** Writes only the last mark of the group: the next compaction would remove the ones before it. */
  async #commit(entries: readonly MarkedEntry[]): Promise<readonly number[]> {
    const mark = entries.at(-1)?.mark;
    await this.#visibility.waitUntilVisible(2 * limits.visibleMs);
    const producer = this.#producer;
    if (mark === undefined || producer === undefined) throw new Error('a commit needs a mark and a producer');
    const rows = [...entries.flatMap((entry) => entry.rows), this.#markRow(mark)];
    const offsets = await producer.append(rows);
    this.#acknowledged = mark;
    this.#visibility.watch(producer);
    this.#log.onAcknowledged(rows, offsets);
    return offsets;
  }

  #markRow(mark: Mark): OutboundRecord {
    const row = encodeOne(markRecord(this.#stage, this.#partition, mark, Date.now()));
    return outboundOf(row, this.#log.names.topic(row.topic), mark);
  }

  #fencedError(by: string): PortError {
    return new PortError('fenced', `${this.#stage}/${this.#partition} has a newer owner, ${by}; give up`);
  }
}
