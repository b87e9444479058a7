// The log in one SQLite file: durable on a single machine, for the engine that runs every stage in one process.
import type { OwningStage, PassingTopic, RequestTopic, TopicName } from '../../domain/flow.ts';
import { PortError } from '../../domain/port-error.ts';
import { checkPartition, checkRequest, checkTrim, marksTopic } from '../appending/access.ts';
import { encodeOne, type Encoded } from '../appending/encoding.ts';
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
import { OwnedWriter, type Claim, type MarkedAppends } from '../appending/owned-writer.ts';
import { only } from '../appending/only.ts';
import { Replies } from '../replies.ts';
import { CommitQueue } from './commit/commit-queue.ts';
import type { AppendOrder, Done, WrittenMark } from './commit/order.ts';
import { arrived, arrivedAt, together, type Arrived } from './reading/arrived.ts';
import { Committed } from './reading/committed.ts';
import { lockFile, prepareFile } from './file.ts';
import { LogPages } from './reading/pages.ts';
import { rowsInTurns, rowsOf, type Rows } from './rows/rows.ts';
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
  readonly #committed: Committed;
  readonly #turns = new ReadTurns();
  readonly #wakeups = new Wakeups();
  readonly #replies = new Replies();
  readonly #appends: MarkedAppends;
  /** The rows of large appends that are not submitted yet. */
  readonly #prepared = new WeakMap<readonly Encoded[], readonly Rows[]>();
  #touched = new Set<string>();
  #closing: Promise<void> | undefined;

  private constructor({ file, partitions }: SqliteLogSettings, unlock: () => void, queue: CommitQueue) {
    super();
    this.partitions = partitions;
    this.#file = file;
    this.#unlock = unlock;
    this.#queue = queue;
    this.#pages = new LogPages(file);
    this.#committed = new Committed(this.#pages);
    this.#appends = {
      partitions,
      append: (claim, records, mark) => this.#append(records, { claim, mark }),
      prepare: async (records) => void this.#prepared.set(records, await rowsInTurns(records)),
      recover: (claim) => this.#mark(claim.stage, claim.partition, claim),
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
    this.#open();
    checkPartition(marksTopic(stage), partition, this.partitions);
    return new OwnedWriter(stage, partition, await this.#mark(stage, partition), this.#appends);
  }

  async request(request: Outgoing<RequestTopic>): Promise<number> {
    this.#open();
    checkRequest(request, this.partitions);
    return only(await this.#append([encodeOne(request)], null));
  }

  async read(topic: TopicName, partition: number, from: number, bounds: PageBounds): Promise<Page> {
    this.#open();
    checkPartition(topic, partition, this.partitions);
    return this.#turns.read(() => {
      this.#open();
      return this.#committed.read(topic, partition, from, bounds);
    });
  }

  tail(from: readonly Position[], bounds: PageBounds): Tail {
    this.#open();
    for (const { topic, partition } of from) checkPartition(topic, partition, this.partitions);
    return new FollowingTail(this.read.bind(this), this.#wakeups, from, bounds);
  }

  async end(topic: TopicName, partition: number): Promise<number> {
    this.#open();
    checkPartition(topic, partition, this.partitions);
    return this.#committed.end(topic, partition);
  }

  /** Need not wait, since an append becomes visible in all partitions at once. */
  settledEnd(topic: TopicName, partition: number): Promise<number> {
    return this.end(topic, partition);
  }

  async trim(topic: PassingTopic, partition: number, below: number): Promise<void> {
    this.#open();
    checkTrim(topic, partition, this.partitions);
    const upTo = Math.min(below, this.#committed.end(topic, partition));
    const order = { kind: 'trim', id: this.#queue.nextId(), bytes: 0, topic, partition, below: upTo } as const;
    await this.#queue.submit(order, () => this.#committed.trim(topic, partition, upTo));
  }

  /** The size of the file in bytes without its free pages; trimmed records count until upkeep has deleted them. */
  get usedBytes(): number {
    this.#open();
    return this.#pages.usedBytes();
  }

  reply(gateway: string, reply: Reply): void {
    this.#replies.send(gateway, reply);
  }

  onReply(gateway: string, receive: (reply: Reply) => void): () => void {
    this.#open();
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

  #append(encoded: readonly Encoded[], marked: AppendOrder['marked']): Promise<readonly number[]> {
    const bytes = encoded.reduce((sum, row) => sum + row.bytes, 0);
    const topics = this.#prepared.get(encoded) ?? rowsOf(encoded);
    const order = { kind: 'append', id: this.#queue.nextId(), bytes, topics, marked } as const;
    const appended = this.#queue.submit(order, (outcome) => {
      const offsets = this.#arrived(encoded, topics, outcome);
      if (marked !== null && outcome.written !== null) this.#markArrived(marked.claim, outcome.written);
      return offsets;
    });
    const marks = marked === null ? [] : [marksTopic(marked.claim.stage)];
    return this.#minding(appended, [...topics.map(({ topic }) => topic), ...marks]);
  }

  async #mark(stage: OwningStage, partition: number, claim?: Claim): Promise<Mark> {
    const order = { kind: 'mark', id: this.#queue.nextId(), bytes: 0, stage, partition } as const;
    const marked = this.#queue.submit({ ...order, generation: claim?.generation ?? null }, ({ written }) => {
      if (written?.mark === undefined) throw new Error('a mark was ordered and none was written');
      this.#markArrived({ stage, partition }, written);
      return written.mark;
    });
    return this.#minding(marked, [marksTopic(stage)]);
  }

  async #minding<T>(submitted: Promise<T>, written: readonly TopicName[]): Promise<T> {
    try {
      return await submitted;
    } catch (error) {
      if (error instanceof PortError && error.code === 'unknown_outcome') this.#committed.forget(written);
      throw error;
    }
  }

  #arrived(encoded: readonly Encoded[], topics: readonly Rows[], { firstOffsets }: Done): readonly number[] {
    const next = new Map(topics.map(({ topic }, i) => [topic, firstOffsets[i] ?? NaN]));
    const offsets: number[] = [];
    for (const { topic, partition, records } of together(encoded)) {
      const first = next.get(topic) ?? NaN;
      next.set(topic, first + records.length);
      this.#add(
        topic,
        partition,
        records.map((one, i) => arrivedAt(one, first + i)),
      );
      for (let i = 0; i < records.length; i++) offsets.push(first + i);
    }
    return offsets;
  }

  #markArrived({ stage, partition }: Omit<Claim, 'generation'>, { text, offset }: Omit<WrittenMark, 'mark'>): void {
    this.#add(marksTopic(stage), partition, [arrived(offset, text.length, text)]);
  }

  #add(topic: TopicName, partition: number, arrived: readonly Arrived[]): void {
    const key = positionKey(topic, partition);
    this.#committed.add(topic, partition, arrived, () => this.#wakeups.readTo(key));
    this.#touched.add(key);
  }

  #wake(): void {
    const touched = this.#touched;
    this.#touched = new Set();
    this.#wakeups.wake(touched);
  }

  #open(): void {
    if (this.#closing !== undefined) throw new PortError('closed', `the log ${this.#file} was closed`);
    if (this.#queue.closed !== undefined) throw this.#queue.closed;
  }
}
