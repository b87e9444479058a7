// The log in one SQLite file: durable on a single machine, for the engine that has every stage in one process.
import type { OwningStage, RequestTopic, TopicName } from '../../domain/flow.ts';
import { PortError } from '../../domain/port-error.ts';
import { checkPartition, checkRequest, marksTopic } from '../access.ts';
import { encode, type Encoded } from '../encoding.ts';
import { FollowingTail, Wakeups } from '../following-tail.ts';
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
import { OwnedWriter, type Claim, type MarkedAppends } from '../owned-writer.ts';
import { Replies } from '../replies.ts';
import { CommitQueue, type Done } from './commit/commit-queue.ts';
import type { AppendOrder, Rows, WrittenMark } from './commit/order.ts';
import { lockFile, prepareFile } from './file.ts';
import { Pages } from './pages.ts';
import { RecentRecords } from './recent.ts';

export interface SqliteLogSettings {
  readonly file: string;
  /** Common partition count of emitter topics; fixed when the file is made. */
  readonly partitions: number;
  /** What runs as the commit thread; tests give one whose commits fail. */
  readonly commitThread?: URL;
}

export class SqliteLog extends Log {
  readonly partitions: number;
  readonly #file: string;
  readonly #unlock: () => void;
  readonly #queue: CommitQueue;
  readonly #pages: Pages;
  readonly #recent = new Map<TopicName, RecentRecords>();
  readonly #ends = new Map<string, number>();
  readonly #wakeups = new Wakeups();
  readonly #replies = new Replies();
  readonly #appends: MarkedAppends;
  #touched = new Set<string>();
  #closing: Promise<void> | undefined;

  private constructor({ file, partitions }: SqliteLogSettings, unlock: () => void, queue: CommitQueue) {
    super();
    this.partitions = partitions;
    this.#file = file;
    this.#unlock = unlock;
    this.#queue = queue;
    this.#pages = new Pages(file);
    this.#appends = {
      partitions,
      append: (claim, rows, mark) => this.#append(rows, { claim, mark }),
      recover: (claim) => this.#mark(claim.stage, claim.partition, claim),
    };
    queue.onCommit(() => this.#wake());
    queue.onEnd(() => this.#wakeups.close());
  }

  /** Makes the file if there is none. Throws PortError `in_use`, `corrupt`, `mismatch` or `unavailable`. */
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

  async request(records: readonly Outgoing<RequestTopic>[]): Promise<readonly number[]> {
    this.#open();
    checkRequest(records, this.partitions);
    return this.#append(encode(records), null);
  }

  async read(topic: TopicName, partition: number, from: number, bounds: PageBounds): Promise<Page> {
    this.#open();
    checkPartition(topic, partition, this.partitions);
    const limit = Math.min(bounds.to ?? Infinity, this.#endOf(topic, partition));
    if (from >= limit) return { topic, partition, records: [], next: from };
    const recent = this.#recent.get(topic)?.read(partition, from, limit, bounds);
    return recent ?? this.#pages.read(topic, partition, from, limit, bounds);
  }

  tail(from: readonly Position[], bounds: PageBounds): Tail {
    this.#open();
    for (const { topic, partition } of from) checkPartition(topic, partition, this.partitions);
    return new FollowingTail(this.read.bind(this), this.#wakeups, from, bounds);
  }

  async end(topic: TopicName, partition: number): Promise<number> {
    this.#open();
    checkPartition(topic, partition, this.partitions);
    return this.#endOf(topic, partition);
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

  /** The commit thread closes the file last, so that it leaves no -wal file behind. */
  async #close(): Promise<void> {
    this.#wakeups.close();
    this.#replies.clear();
    this.#pages.close();
    await this.#queue.close();
    this.#unlock();
  }

  #append(encoded: readonly Encoded[], marked: AppendOrder['marked']): Promise<readonly number[]> {
    const bytes = encoded.reduce((sum, row) => sum + row.bytes, 0);
    const rows = byTopic(encoded);
    const order = { kind: 'append', id: this.#queue.nextId(), bytes, rows, marked } as const;
    const appended = this.#queue.submit(order, (outcome) => {
      const offsets = this.#committed(encoded, rows, outcome);
      if (marked !== null && outcome.written !== null) this.#markCommitted(marked.claim, outcome.written);
      return offsets;
    });
    const marks = marked === null ? [] : [marksTopic(marked.claim.stage)];
    return this.#minding(appended, [...rows.map(({ topic }) => topic), ...marks]);
  }

  async #mark(stage: OwningStage, partition: number, claim?: Claim): Promise<Mark> {
    const order = { kind: 'mark', id: this.#queue.nextId(), bytes: 0, stage, partition } as const;
    const marked = this.#queue.submit({ ...order, generation: claim?.generation ?? null }, ({ written }) => {
      if (written === null) throw new Error('a mark was ordered and none was written');
      this.#markCommitted({ stage, partition }, written);
      return written.mark;
    });
    return this.#minding(marked, [marksTopic(stage)]);
  }

  /** After an unknown outcome only the file knows what these topics hold: what is in memory may lack records. */
  async #minding<T>(submitted: Promise<T>, written: readonly TopicName[]): Promise<T> {
    try {
      return await submitted;
    } catch (error) {
      if (error instanceof PortError && error.code === 'unknown_outcome')
        for (const topic of written) {
          this.#recent.delete(topic);
          for (const key of this.#ends.keys()) if (key.startsWith(`${topic}/`)) this.#ends.delete(key);
        }
      throw error;
    }
  }

  #committed(encoded: readonly Encoded[], rows: readonly Rows[], { firstOffsets }: Done): readonly number[] {
    const next = new Map(rows.map(({ topic }, i) => [topic, firstOffsets[i] ?? NaN]));
    return encoded.map(({ topic, partition, text, bytes }) => {
      const offset = next.get(topic) ?? NaN;
      next.set(topic, offset + 1);
      this.#arrived(topic, partition, offset, { text, bytes });
      return offset;
    });
  }

  #markCommitted({ stage, partition }: Omit<Claim, 'generation'>, { text, offset }: WrittenMark): void {
    this.#arrived(marksTopic(stage), partition, offset, { text, bytes: text.length });
  }

  #arrived(
    topic: TopicName,
    partition: number,
    offset: number,
    { text, bytes }: { text: string; bytes: number },
  ): void {
    let recent = this.#recent.get(topic);
    if (recent === undefined) this.#recent.set(topic, (recent = new RecentRecords(topic)));
    recent.push(partition, offset, text, bytes);
    const key = positionKey(topic, partition);
    this.#ends.set(key, Math.max(this.#ends.get(key) ?? 0, offset + 1));
    this.#touched.add(key);
  }

  #wake(): void {
    const touched = this.#touched;
    this.#touched = new Set();
    this.#wakeups.wake(touched);
  }

  /** From the file once, then kept up by commits: never above what was committed. */
  #endOf(topic: TopicName, partition: number): number {
    const key = positionKey(topic, partition);
    const known = this.#ends.get(key);
    if (known !== undefined) return known;
    const end = this.#pages.end(topic, partition);
    this.#ends.set(key, end);
    return end;
  }

  #open(): void {
    if (this.#closing !== undefined) throw new PortError('closed', `the log ${this.#file} was closed`);
    if (this.#queue.closed !== undefined) throw this.#queue.closed;
  }
}

/** Flat, one list for each topic, in the order in which the topics come. */
function byTopic(encoded: readonly Encoded[]): readonly Rows[] {
  const lists = new Map<TopicName, (number | string)[]>();
  for (const { topic, partition, key, text } of encoded) {
    let values = lists.get(topic);
    if (values === undefined) lists.set(topic, (values = []));
    values.push(partition, key, text);
  }
  return [...lists].map(([topic, values]) => ({ topic, values }));
}
