// An in-memory log for tests, which keeps every promise of the port; a test can make the next append fail.
import {
  partitionCount,
  topics,
  type OwningStage,
  type PassingTopic,
  type RequestTopic,
  type TopicName,
} from '../domain/flow.ts';
import type { StoredRecord } from '../domain/message.ts';
import { PortError } from '../domain/port-error.ts';
import { checkPartition, checkRequest, checkTrim, marksTopic } from './appending/access.ts';
import { decode, encode, encodeOne, type Encoded } from './appending/encoding.ts';
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
import { only } from './appending/only.ts';
import { PageFilling } from './reading/page-filling.ts';
import { OwnedWriter, type Claim, type MarkedAppends } from './appending/owned-writer.ts';
import { Replies } from './replies.ts';

/** `unknown_outcome_*`: the append throws `unknown_outcome`, committed or lost. `unavailable`: nothing is written. */
export type AppendFault = 'unknown_outcome_committed' | 'unknown_outcome_lost' | 'unavailable';

interface Row extends Encoded {
  readonly offset: number;
  readonly record: StoredRecord;
}

export class MemoryLog extends Log {
  readonly partitions: number;
  /** The rows of each partition in offset order, by key on compacted topics, otherwise by offset. */
  readonly #rows = new Map<string, Map<string | number, Row>>();
  readonly #nextOffset = new Map<string, number>();
  /** For each partition the offset after the last record that it ever had. */
  readonly #ends = new Map<string, number>();
  readonly #marks = new Map<string, Mark>();
  readonly #wakeups = new Wakeups();
  readonly #replies = new Replies();
  readonly #faults: AppendFault[] = [];
  #held: Promise<void> | undefined;
  #closed = false;

  constructor({ partitions }: { readonly partitions: number }) {
    super();
    this.partitions = partitions;
  }

  /** Makes the next append of records, by a writer or as a request, fail this way; several faults are queued. */
  failNextAppend(fault: AppendFault): void {
    this.#faults.push(fault);
  }

  /** Makes appends by writers wait until the returned function is called. */
  holdAppends(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  /** Returns every record of a topic, by partition and offset. */
  records(topic: TopicName): readonly StoredRecord[] {
    const count = partitionCount(topic, this.partitions);
    return Array.from({ length: count }, (_, partition) => [...this.#partition(topic, partition)])
      .flat()
      .map((row) => row.record);
  }

  async own(stage: OwningStage, partition: number): Promise<Writer> {
    this.#open();
    checkPartition(marksTopic(stage), partition, this.partitions);
    const last = this.#marks.get(positionKey(marksTopic(stage), partition)) ?? firstMark;
    const mark: Mark = { ...last, generation: last.generation + 1 };
    this.#commit([], { stage, partition, mark });
    const appends: MarkedAppends = {
      partitions: this.partitions,
      append: async (claim, rows, marked) => {
        if (this.#held !== undefined) await this.#held;
        return this.#appendMarked(claim, rows, marked);
      },
      recover: async (claim) => this.#standing(claim),
      release: async () => {},
    };
    return new OwnedWriter(stage, partition, mark, appends);
  }

  async request(request: Outgoing<RequestTopic>): Promise<number> {
    this.#open();
    checkRequest(request, this.partitions);
    const row = encodeOne(request);
    return only(this.#faulty(() => this.#commit([row])));
  }

  async read(topic: TopicName, partition: number, from: number, bounds: PageBounds): Promise<Page> {
    this.#open();
    const limit = Math.min(bounds.to ?? Infinity, this.#endOf(topic, partition));
    const page = new PageFilling(bounds);
    for (const row of this.#partition(topic, partition)) {
      if (row.offset < from) continue;
      if (row.offset >= limit || !page.takes(row.bytes)) break;
      page.add(row.record, row.bytes);
    }
    return page.finished(topic, partition, { from, limit });
  }

  tail(from: readonly Position[], bounds: PageBounds): Tail {
    this.#open();
    for (const { topic, partition } of from) checkPartition(topic, partition, this.partitions);
    return new FollowingTail(this.read.bind(this), this.#wakeups, from, bounds);
  }

  async end(topic: TopicName, partition: number): Promise<number> {
    this.#open();
    return this.#endOf(topic, partition);
  }

  settledEnd(topic: TopicName, partition: number): Promise<number> {
    return this.end(topic, partition);
  }

  async trim(topic: PassingTopic, partition: number, below: number): Promise<void> {
    this.#open();
    checkTrim(topic, partition, this.partitions);
    const rows = this.#rows.get(positionKey(topic, partition)) ?? new Map<string | number, Row>();
    for (const [key, { offset }] of rows) if (offset < below) rows.delete(key);
  }

  reply(gateway: string, reply: Reply): void {
    this.#replies.send(gateway, reply);
  }

  onReply(gateway: string, receive: (reply: Reply) => void): () => void {
    this.#open();
    return this.#replies.on(gateway, receive);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wakeups.close();
    this.#replies.clear();
  }

  #appendMarked(claim: Claim, rows: readonly Encoded[], mark: Mark): readonly number[] {
    const standing = this.#standing(claim);
    if (mark.batch !== standing.batch + 1) throw new PortError('unavailable', 'an append before this one failed');
    return this.#faulty(() => this.#commit(rows, { ...claim, mark }));
  }

  #standing({ stage, partition, generation }: Claim): Mark {
    this.#open();
    const mark = this.#marks.get(positionKey(marksTopic(stage), partition)) ?? firstMark;
    if (mark.generation !== generation)
      throw new PortError('fenced', `${stage}/${partition} has a newer owner, generation ${mark.generation}; give up`);
    return mark;
  }

  #faulty(commit: () => readonly number[]): readonly number[] {
    const fault = this.#faults.shift();
    if (fault === 'unavailable') throw new PortError('unavailable', 'told to be unavailable; nothing was written');
    if (fault === 'unknown_outcome_committed') commit();
    if (fault !== undefined) throw new PortError('unknown_outcome', `told to fail: ${fault}`);
    return commit();
  }

  /** Leaves a gap after each append's records, as a transaction on Kafka does, so that no code counts by offsets. */
  #commit(rows: readonly Encoded[], moved?: { stage: OwningStage; partition: number; mark: Mark }): readonly number[] {
    const all = moved === undefined ? rows : [...rows, this.#markRow(moved.stage, moved.partition, moved.mark)];
    const offsets = all.map((row) => this.#insert(row));
    const keys = new Set(all.map((row) => positionKey(row.topic, row.partition)));
    for (const key of keys) this.#nextOffset.set(key, (this.#nextOffset.get(key) ?? 0) + 1);
    if (moved !== undefined) this.#marks.set(positionKey(marksTopic(moved.stage), moved.partition), moved.mark);
    this.#wakeups.wake(keys);
    return offsets.slice(0, rows.length);
  }

  #markRow(stage: OwningStage, partition: number, mark: Mark): Encoded {
    const [row] = encode([markRecord(stage, partition, mark, Date.now())]);
    if (row === undefined) throw new Error('a mark is one record');
    return row;
  }

  #insert(row: Encoded): number {
    const key = positionKey(row.topic, row.partition);
    const offset = this.#nextOffset.get(key) ?? 0;
    this.#nextOffset.set(key, offset + 1);
    const rows = this.#rows.get(key) ?? new Map<string | number, Row>();
    const name = topics[row.topic].compacted ? row.key : offset;
    rows.delete(name);
    rows.set(name, { ...row, offset, record: decode(row.text, row.topic, row.partition, offset) });
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

  #open(): void {
    if (this.#closed) throw new PortError('closed', 'the log was closed');
  }
}
