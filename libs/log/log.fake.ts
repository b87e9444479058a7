// An in-memory log for tests, which keeps every promise of the port; a test can make the next append fail.
// On compacted topics it keeps the older records of a key, as Kafka does until it compacts: what a reader folds must be
// right with them.
import {
  partitionCount,
  topics,
  type OwningStage,
  type ExpiringTopic,
  type RequestTopic,
  type TopicName,
} from '../domain/flow.ts';
import type { StoredRecord } from '../domain/message.ts';
import { PortError } from '../domain/port-error.ts';
import { checkPartition, checkRequest, checkTrim, marksTopic } from './appending/access.ts';
import { decode, encode, encodeOne, type EncodedRecord } from './appending/encoding.ts';
import { FollowingTail, Wakeups } from './reading/following-tail.ts';
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
} from './log.ts';
import { firstMark, markRecord } from './appending/mark-record.ts';
import { unwrapSingle } from './appending/unwrap-single.ts';
import { PageBuilder } from './reading/page-builder.ts';
import type { AppendFault } from './contract/harness.ts';
import { OwnedWriter, type Claim, type WriterBackend } from './appending/owned-writer.ts';
import { Replies } from './replies.ts';

interface Row extends EncodedRecord {
  readonly offset: number;
  readonly record: StoredRecord;
}

export interface MemoryLogOptions {
  readonly partitions: number;
  /** Removes the older records of a key with each append, as the embedded log does. */
  readonly compactsAtOnce?: boolean;
}

export class MemoryLog extends Log {
  readonly partitions: number;
  readonly #compactsAtOnce: boolean;
  /** The rows of each partition in offset order, by key where they are compacted at once, otherwise by offset. */
  readonly #rows = new Map<string, Map<string | number, Row>>();
  readonly #nextOffset = new Map<string, number>();
  /** For each partition the offset after the last record that it ever had. */
  readonly #ends = new Map<string, number>();
  readonly #marks = new Map<string, Mark>();
  readonly #wakeups = new Wakeups();
  readonly #replies = new Replies();
  readonly #faults: AppendFault[] = [];
  #appendsHeld: Promise<void> | undefined;
  #closed = false;

  constructor({ partitions, compactsAtOnce = false }: MemoryLogOptions) {
    super();
    this.partitions = partitions;
    this.#compactsAtOnce = compactsAtOnce;
  }

  /** Makes the next append of records, by a writer or as a request, fail this way; several faults are queued. */
  failNextAppend(fault: AppendFault): void {
    this.#faults.push(fault);
  }

  /** Makes appends by writers wait until the returned function is called. */
  holdAppends(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#appendsHeld = promise;
    return resolve;
  }

  /** Returns every record of a topic, by partition and offset; of a compacted topic the newest of each key. */
  records(topic: TopicName): readonly StoredRecord[] {
    const count = partitionCount(topic, this.partitions);
    return Array.from({ length: count }, (_, partition) => [...this.#partition(topic, partition)])
      .flatMap((rows) => (topics[topic].compacted ? newestOfEachKey(rows) : rows))
      .map((row) => row.record);
  }

  async own(stage: OwningStage, partition: number): Promise<Writer> {
    this.#checkOpen();
    checkPartition(marksTopic(stage), partition, this.partitions);
    const last = this.#marks.get(positionKey(marksTopic(stage), partition)) ?? firstMark;
    const mark: Mark = { ...last, generation: last.generation + 1 };
    this.#commit([], { stage, partition, mark });
    const backend: WriterBackend = {
      partitions: this.partitions,
      append: async (claim, rows, newMark) => {
        if (this.#appendsHeld !== undefined) await this.#appendsHeld;
        return this.#appendMarked(claim, rows, newMark);
      },
      recover: async (claim) => this.#currentMark(claim),
      release: async () => {},
    };
    return new OwnedWriter(stage, partition, mark, backend);
  }

  async request(request: Outgoing<RequestTopic>): Promise<number> {
    this.#checkOpen();
    checkRequest(request, this.partitions);
    const row = encodeOne(request);
    return unwrapSingle(this.#withFault(() => this.#commit([row])));
  }

  async read(topic: TopicName, partition: number, from: number, bounds: PageBounds): Promise<Page> {
    this.#checkOpen();
    const limit = Math.min(bounds.to ?? Infinity, this.#endOf(topic, partition));
    const page = new PageBuilder(bounds);
    for (const row of this.#partition(topic, partition)) {
      if (row.offset < from) continue;
      if (row.offset >= limit || !page.hasRoomFor(row.bytes)) break;
      page.add(row.record, row.bytes);
    }
    return page.build(topic, partition, { from, limit });
  }

  tail(from: readonly Position[], bounds: PageBounds): Tail {
    this.#checkOpen();
    for (const { topic, partition } of from) checkPartition(topic, partition, this.partitions);
    return new FollowingTail(this.read.bind(this), this.#wakeups, from, bounds);
  }

  async end(topic: TopicName, partition: number): Promise<number> {
    this.#checkOpen();
    return this.#endOf(topic, partition);
  }

  settledEnd(topic: TopicName, partition: number): Promise<number> {
    return this.end(topic, partition);
  }

  async trim(topic: ExpiringTopic, partition: number, below: number): Promise<void> {
    this.#checkOpen();
    checkTrim(topic, partition, this.partitions);
    const rows = this.#rows.get(positionKey(topic, partition)) ?? new Map<string | number, Row>();
    for (const [key, { offset }] of rows) if (offset < below) rows.delete(key);
  }

  reply(gateway: string, reply: Reply): void {
    this.#replies.send(gateway, reply);
  }

  onReply(gateway: string, receive: (reply: Reply) => void): () => void {
    this.#checkOpen();
    return this.#replies.on(gateway, receive);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wakeups.close();
    this.#replies.clear();
  }

  #appendMarked(claim: Claim, rows: readonly EncodedRecord[], mark: Mark): readonly number[] {
    const currentMark = this.#currentMark(claim);
    if (mark.batch !== currentMark.batch + 1) throw new PortError('unavailable', 'an append before this one failed');
    return this.#withFault(() => this.#commit(rows, { ...claim, mark }));
  }

  #currentMark({ stage, partition, generation }: Claim): Mark {
    this.#checkOpen();
    const mark = this.#marks.get(positionKey(marksTopic(stage), partition)) ?? firstMark;
    if (mark.generation !== generation)
      throw new PortError('fenced', `${stage}/${partition} has a newer owner, generation ${mark.generation}; give up`);
    return mark;
  }

  #withFault(commit: () => readonly number[]): readonly number[] {
    const fault = this.#faults.shift();
    if (fault === 'unavailable') throw new PortError('unavailable', 'told to be unavailable; nothing was written');
    if (fault === 'unknown_outcome_committed') commit();
    if (fault !== undefined) throw new PortError('unknown_outcome', `told to fail: ${fault}`);
    return commit();
  }

  /** Leaves a gap after each append's records, as a transaction on Kafka does, so that no code counts by offsets. */
  #commit(
    rows: readonly EncodedRecord[],
    markUpdate?: { stage: OwningStage; partition: number; mark: Mark },
  ): readonly number[] {
    const allRows =
      markUpdate === undefined
        ? rows
        : [...rows, this.#markRow(markUpdate.stage, markUpdate.partition, markUpdate.mark)];
    const offsets = allRows.map((row) => this.#insert(row));
    const keys = new Set(allRows.map((row) => positionKey(row.topic, row.partition)));
    for (const key of keys) this.#nextOffset.set(key, (this.#nextOffset.get(key) ?? 0) + 1);
    if (markUpdate !== undefined)
      this.#marks.set(positionKey(marksTopic(markUpdate.stage), markUpdate.partition), markUpdate.mark);
    this.#wakeups.wake(keys);
    return offsets.slice(0, rows.length);
  }

  #markRow(stage: OwningStage, partition: number, mark: Mark): EncodedRecord {
    const [row] = encode([markRecord(stage, partition, mark, Date.now())]);
    if (row === undefined) throw new Error('a mark is one record');
    return row;
  }

  #insert(row: EncodedRecord): number {
    const key = positionKey(row.topic, row.partition);
    const offset = this.#nextOffset.get(key) ?? 0;
    this.#nextOffset.set(key, offset + 1);
    const rows = this.#rows.get(key) ?? new Map<string | number, Row>();
    const rowKey = this.#compactsAtOnce && topics[row.topic].compacted ? row.key : offset;
    rows.delete(rowKey);
    rows.set(rowKey, { ...row, offset, record: decode(row.text, row.topic, row.partition, offset) });
    this.#rows.set(key, rows);
    this.#ends.set(key, offset + 1);
    return offset;
  }

  #partition(topic: TopicName, partition: number): Iterable<Row> {
    checkPartition(topic, partition, this.partitions);
    return this.#rows.get(positionKey(topic, partition))?.values() ?? [];
  }

  #endOf(topic: TopicName, partition: number): number {
    checkPartition(topic, partition, this.partitions);
    return this.#ends.get(positionKey(topic, partition)) ?? 0;
  }

  #checkOpen(): void {
    if (this.#closed) throw new PortError('closed', 'the log was closed');
  }
}

function newestOfEachKey(rows: readonly Row[]): readonly Row[] {
  const newest = new Map<string, Row>();
  for (const row of rows) {
    newest.delete(row.key);
    newest.set(row.key, row);
  }
  return [...newest.values()];
}
