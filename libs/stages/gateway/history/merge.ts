// Merges the records of many lanes in the order of their times; those of one lane keep their order.
import type { StoredRecord } from '../../../domain/message.ts';
import type { Millis } from '../../../domain/message.ts';
import type { Log } from '../../../log/log.ts';
import { offsetAt } from '../../../log/offset-at.ts';
import { Heap } from '../../../primitives/collections/heap.ts';
import type { HistoryPosition } from './history-cursor.ts';
import type { Lane } from './lanes.ts';

export type HistoryLog = Pick<Log, 'read' | 'end' | 'partitions'>;

/** A lane's first page is small, since most lanes contribute nothing to a short answer. Each further page is larger. */
const firstRecords = 16;
const growth = 4;
const recordsMax = 256;
/** Takes a millisecond or two to parse; a single record can be larger. */
const bytesMax = 128 * 1024;
/** Lanes that are read or searched concurrently. */
const atOnce = 8;

interface LaneState extends Lane {
  readonly number: number;
  /** The offset of the next record to return. Undefined: it was not searched yet. */
  offset: number | undefined;
  /** Records that were read; those from `at` on are not returned yet. */
  records: readonly StoredRecord[];
  at: number;
  /** The offset from which to read once all `records` were returned. */
  next: number;
  pageRecords: number;
  /** No further record of the lane is needed. */
  isEnd: boolean;
}

export interface LaneRecord extends Lane {
  readonly record: StoredRecord;
}

const timeOf = ({ at }: StoredRecord): number => (Number.isFinite(at) ? at : 0);
const headTime = ({ records, at }: LaneState): number => timeOf(records[at] as StoredRecord);

export class Merge {
  readonly #log: HistoryLog;
  readonly #lanes: readonly LaneState[];
  readonly #since: Millis;
  /** Reading a lane ends at its first record of this time or later. */
  readonly #until: Millis;
  readonly #heads = new Heap<LaneState>((a, b) => {
    const [first, second] = [headTime(a), headTime(b)];
    return first < second || (first === second && a.number < b.number);
  });
  /**
   * Lanes whose records were all returned, and which might have more: each is read further before the next record.
   */
  #exhausted: LaneState[];

  constructor(log: HistoryLog, { lanes, since }: HistoryPosition, until: Millis) {
    this.#log = log;
    this.#since = since;
    this.#until = until;
    this.#lanes = lanes.map((lane, number) => {
      const { topic, partition, offset } = lane;
      const initial = { records: [], at: 0, next: offset ?? 0, pageRecords: firstRecords, isEnd: false };
      return { topic, partition, number, offset, ...initial };
    });
    this.#exhausted = [...this.#lanes];
  }

  /** Whether each lane was read to its end. */
  get isEnd(): boolean {
    return this.#heads.size === 0 && this.#exhausted.length === 0;
  }

  /** The position after the records that were returned. */
  get position(): HistoryPosition {
    return {
      lanes: this.#lanes.map(({ topic, partition, offset }) => ({ topic, partition, offset })),
      since: this.#since,
    };
  }

  /** Finds the offsets where the lanes begin. False: there was not enough time to find all. Throws PortError. */
  async findOffsets(isTimeUp: () => boolean): Promise<boolean> {
    const unpositioned = this.#lanes.filter(({ offset }) => offset === undefined);
    await this.#forEachConcurrently(unpositioned, async (lane) => {
      if (isTimeUp()) return;
      lane.offset = this.#since === 0 ? 0 : await offsetAt(this.#log, lane, this.#since);
      lane.next = lane.offset;
    });
    return unpositioned.every(({ offset }) => offset !== undefined);
  }

  /** The next record, or undefined at the end. Throws PortError. */
  next(): LaneRecord | undefined | Promise<LaneRecord | undefined> {
    return this.#exhausted.length === 0 ? this.#takeNext() : this.#refill().then(() => this.#takeNext());
  }

  #takeNext(): LaneRecord | undefined {
    const lane = this.#heads.pop();
    const record = lane?.records[lane.at];
    if (lane === undefined || record === undefined) return undefined;
    lane.at++;
    const isExhausted = lane.at === lane.records.length;
    lane.offset = isExhausted ? lane.next : record.offset + 1;
    if (isExhausted) this.#exhausted.push(lane);
    else this.#pushHead(lane);
    return { topic: lane.topic, partition: lane.partition, record };
  }

  async #refill(): Promise<void> {
    const exhausted = this.#exhausted;
    await this.#forEachConcurrently(exhausted, (lane) => this.#read(lane));
    this.#exhausted = [];
    for (const lane of exhausted) if (!lane.isEnd) this.#pushHead(lane);
  }

  #pushHead(lane: LaneState): void {
    if (headTime(lane) >= this.#until) lane.isEnd = true;
    else this.#heads.push(lane);
  }

  async #read(lane: LaneState): Promise<void> {
    const { topic, partition, next, pageRecords } = lane;
    const page = await this.#log.read(topic, partition, next, { recordsMax: pageRecords, bytesMax });
    lane.pageRecords = Math.min(recordsMax, pageRecords * growth);
    Object.assign(lane, { records: page.records, at: 0, next: page.next, isEnd: page.records.length === 0 });
  }

  async #forEachConcurrently(lanes: readonly LaneState[], work: (lane: LaneState) => Promise<void>): Promise<void> {
    for (let at = 0; at < lanes.length; at += atOnce)
      await Promise.all(lanes.slice(at, at + atOnce).map((lane) => work(lane)));
  }
}
