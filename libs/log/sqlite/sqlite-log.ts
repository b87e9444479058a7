// The log in one SQLite file: durable on a single machine, for the engine that runs every stage in one process.
import type { OwningStage, ExpiringTopic, RequestTopic, TopicName } from '../../domain/flow.ts';
import { PortError } from '../../domain/port-error.ts';
import { checkPartition, checkRequest, checkTrim, marksTopic } from '../appending/access.ts';
import { encodeOne, type EncodedRecord } from '../appending/encoding.ts';
import { FollowingTail, Wakeups } from '../reading/following-tail.ts';
import {
  Log,
  positionKey,
  type Mark,
  type Outgoing,
  type Page,
  type PageBounds,
  type Position,
  type Reply,
  type Tail,
  type Writer,
} from '../log.ts';
import { OwnedWriter, type Claim, type WriterBackend } from '../appending/owned-writer.ts';
import { unwrapSingle } from '../appending/unwrap-single.ts';
import { Replies } from '../replies.ts';
import { CommitQueue } from './commit/commit-queue.ts';
import type { AppendOrder, CompletedOrder, WrittenMark } from './commit/order.ts';
import { cachedRecord, cachedRecordOf, groupAdjacent, type CachedRecord } from './reading/cached-record.ts';
import { CommittedRecords } from './reading/committed-records.ts';
import { lockFile, prepareFile } from './file.ts';
import { LogPages } from './reading/pages.ts';
import { rowsInTurns, rowsOf, type TopicRows } from './rows/rows.ts';
import { ReadTurns } from './reading/read-turns.ts';

export interface SqliteLogSettings {
  readonly file: string;
  /** The number of partitions of every partitioned topic; fixed when the file is created. */
  readonly partitions: number;
  /** The module of the commit thread; tests pass one whose commits fail. */
  readonly commitThread?: URL;
}

export class SqliteLog extends Log {
  readonly partitions: number;
  readonly #file: string;
  readonly #unlock: () => void;
  readonly #queue: CommitQueue;
  readonly #pages: LogPages;
  readonly #committed: CommittedRecords;
  readonly #turns = new ReadTurns();
  readonly #wakeups = new Wakeups();
  readonly #replies = new Replies();
  readonly #backend: WriterBackend;
  /** The rows of large appends that are not submitted yet. */
  readonly #prepared = new WeakMap<readonly EncodedRecord[], readonly TopicRows[]>();
  #changedPartitions = new Set<string>();
  #closing: Promise<void> | undefined;

  private constructor({ file, partitions }: SqliteLogSettings, unlock: () => void, queue: CommitQueue) {
    super();
    this.partitions = partitions;
    this.#file = file;
    this.#unlock = unlock;
    this.#queue = queue;
    this.#pages = new LogPages(file);
    this.#committed = new CommittedRecords(this.#pages);
    this.#backend = {
      partitions,
      append: (claim, records, mark) => this.#append(records, { claim, mark }),
      prepare: async (records) => void this.#prepared.set(records, await rowsInTurns(records)),
      recover: (claim) => this.#writeMark(claim.stage, claim.partition, claim),
      release: async () => {},
    };
    queue.onCommit(() => this.#wake());
    queue.onEnd(() => this.#wakeups.close());
  }

  /** Opens or creates the file. Throws PortError `in_use`, `corrupt`, `mismatch` or `unavailable`. */
  static async open(settings: SqliteLogSettings): Promise<SqliteLog> {
    const unlock = lockFile(settings.file);
    try {
      prepareFile(settings.file, settings.partitions);
      const { file, partitions } = settings;
      return new SqliteLog(settings, unlock, await CommitQueue.start({ file, partitions }, settings.commitThread));
    } catch (error) {
      unlock();
      throw error;
    }
  }

  async own(stage: OwningStage, partition: number): Promise<Writer> {
    this.#checkOpen();
    checkPartition(marksTopic(stage), partition, this.partitions);
    return new OwnedWriter(stage, partition, await this.#writeMark(stage, partition), this.#backend);
  }

  async request(request: Outgoing<RequestTopic>): Promise<number> {
    this.#checkOpen();
    checkRequest(request, this.partitions);
    return unwrapSingle(await this.#append([encodeOne(request)], null));
  }

  async read(topic: TopicName, partition: number, from: number, bounds: PageBounds): Promise<Page> {
    this.#checkOpen();
    checkPartition(topic, partition, this.partitions);
    return this.#turns.read(() => {
      this.#checkOpen();
      return this.#committed.read(topic, partition, from, bounds);
    });
  }

  tail(from: readonly Position[], bounds: PageBounds): Tail {
    this.#checkOpen();
    for (const { topic, partition } of from) checkPartition(topic, partition, this.partitions);
    return new FollowingTail(this.read.bind(this), this.#wakeups, from, bounds);
  }

  async end(topic: TopicName, partition: number): Promise<number> {
    this.#checkOpen();
    checkPartition(topic, partition, this.partitions);
    return this.#committed.end(topic, partition);
  }

  /** Need not wait, since an append becomes visible in all partitions at once. */
  settledEnd(topic: TopicName, partition: number): Promise<number> {
    return this.end(topic, partition);
  }

  async trim(topic: ExpiringTopic, partition: number, below: number): Promise<void> {
    this.#checkOpen();
    checkTrim(topic, partition, this.partitions);
    const upTo = Math.min(below, this.#committed.end(topic, partition));
    const order = { kind: 'trim', id: this.#queue.nextId(), bytes: 0, topic, partition, below: upTo } as const;
    await this.#queue.submit(order, () => this.#committed.trim(topic, partition, upTo));
  }

  /** The size of the file in bytes without its free pages; trimmed records count until upkeep has deleted them. */
  get usedBytes(): number {
    this.#checkOpen();
    return this.#pages.usedBytes();
  }

  reply(gateway: string, reply: Reply): void {
    this.#replies.send(gateway, reply);
  }

  onReply(gateway: string, receive: (reply: Reply) => void): () => void {
    this.#checkOpen();
    return this.#replies.on(gateway, receive);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** The commit thread closes the file last, so that no -wal file is left. */
  async #close(): Promise<void> {
    this.#wakeups.close();
    this.#replies.clear();
    this.#pages.close();
    await this.#queue.close();
    this.#unlock();
  }

  #append(encoded: readonly EncodedRecord[], marked: AppendOrder['marked']): Promise<readonly number[]> {
    const bytes = encoded.reduce((sum, row) => sum + row.bytes, 0);
    const topics = this.#prepared.get(encoded) ?? rowsOf(encoded);
    const order = { kind: 'append', id: this.#queue.nextId(), bytes, topics, marked } as const;
    const appended = this.#queue.submit(order, (outcome) => {
      const offsets = this.#addCommitted(encoded, topics, outcome);
      if (marked !== null && outcome.written !== null) this.#addMark(marked.claim, outcome.written);
      return offsets;
    });
    const marks = marked === null ? [] : [marksTopic(marked.claim.stage)];
    return this.#forgetIfUnknown(appended, [...topics.map(({ topic }) => topic), ...marks]);
  }

  async #writeMark(stage: OwningStage, partition: number, claim?: Claim): Promise<Mark> {
    const order = { kind: 'mark', id: this.#queue.nextId(), bytes: 0, stage, partition } as const;
    const marked = this.#queue.submit({ ...order, generation: claim?.generation ?? null }, ({ written }) => {
      if (written?.mark === undefined) throw new Error('a mark was ordered and none was written');
      this.#addMark({ stage, partition }, written);
      return written.mark;
    });
    return this.#forgetIfUnknown(marked, [marksTopic(stage)]);
  }

  async #forgetIfUnknown<T>(submitted: Promise<T>, written: readonly TopicName[]): Promise<T> {
    try {
      return await submitted;
    } catch (error) {
      if (error instanceof PortError && error.code === 'unknown_outcome') this.#committed.forgetTopics(written);
      throw error;
    }
  }

  #addCommitted(
    encoded: readonly EncodedRecord[],
    topics: readonly TopicRows[],
    { firstOffsets }: CompletedOrder,
  ): readonly number[] {
    const next = new Map(topics.map(({ topic }, i) => [topic, firstOffsets[i] ?? NaN]));
    const offsets: number[] = [];
    for (const { topic, partition, records } of groupAdjacent(encoded)) {
      const first = next.get(topic) ?? NaN;
      next.set(topic, first + records.length);
      this.#add(
        topic,
        partition,
        records.map((one, i) => cachedRecordOf(one, first + i)),
      );
      for (let i = 0; i < records.length; i++) offsets.push(first + i);
    }
    return offsets;
  }

  #addMark({ stage, partition }: Omit<Claim, 'generation'>, { text, offset }: Omit<WrittenMark, 'mark'>): void {
    this.#add(marksTopic(stage), partition, [cachedRecord(offset, text.length, text)]);
  }

  #add(topic: TopicName, partition: number, records: readonly CachedRecord[]): void {
    const key = positionKey(topic, partition);
    this.#committed.add(topic, partition, records, () => this.#wakeups.lowestNextOffset(key));
    this.#changedPartitions.add(key);
  }

  #wake(): void {
    const changed = this.#changedPartitions;
    this.#changedPartitions = new Set();
    this.#wakeups.wake(changed);
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new PortError('closed', `the log ${this.#file} was closed`);
    if (this.#queue.closedError !== undefined) throw this.#queue.closedError;
  }
}
