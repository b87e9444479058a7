// Merges the records of many lanes in the order of their times; those of one lane keep their order.
import type { StoredRecord } from '../../../domain/message.ts';
import type { Millis } from '../../../domain/message.ts';
import type { Log } from '../../../log/log.ts';
import { offsetAt } from '../../../log/offset-at.ts';
import { Heap } from '../../../primitives/collections/heap.ts';
import type { HistoryPlace } from './history-cursor.ts';
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

interface Reading extends Lane {
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

export interface Given extends Lane {
  readonly record: StoredRecord;
}

const timeOf = ({ at }: StoredRecord): number => (Number.isFinite(at) ? at : 0);
const headTime = ({ records, at }: Reading): number => timeOf(records[at] as StoredRecord);

export class Merge {
  readonly #log: HistoryLog;
  readonly #readings: readonly Reading[];
  readonly #since: Millis;
  /** Reading a lane ends at its first record of this time or later. */
  readonly #until: Millis;
  readonly #heads = new Heap<Reading>((a, b) => {
    const [first, second] = [headTime(a), headTime(b)];
    return first < second || (first === second && a.number < b.number);
  });
  /**
   * Lanes whose records were all returned, and which might have more: each is read further before the next record.
   */
  #starved: Reading[];

  constructor(log: HistoryLog, { lanes, since }: HistoryPlace, until: Millis) {
    this.#log = log;
    this.#since = since;
    this.#until = until;
    this.#readings = lanes.map((lane, number) => {
      const { topic, partition, offset } = lane;
      const read = { records: [], at: 0, next: offset ?? 0, pageRecords: firstRecords, isEnd: false };
      return { topic, partition, number, offset, ...read };
    });
    this.#starved = [...this.#readings];
  }

  /** Whether each lane was read to its end. */
  get isEnd(): boolean {
    return this.#heads.size === 0 && this.#starved.length === 0;
  }

  /** The place after the records that were returned. */
  get place(): HistoryPlace {
    return {
      lanes: this.#readings.map(({ topic, partition, offset }) => ({ topic, partition, offset })),
      since: this.#since,
    };
  }

  /** Finds the offsets where the lanes begin. False: there was not enough time to find all. Throws PortError. */
  async begin(isOver: () => boolean): Promise<boolean> {
    const left = this.#readings.filter(({ offset }) => offset === undefined);
    await this.#each(left, async (reading) => {
      if (isOver()) return;
      reading.offset = this.#since === 0 ? 0 : await offsetAt(this.#log, reading, this.#since);
      reading.next = reading.offset;
    });
    return left.every(({ offset }) => offset !== undefined);
  }

  /** The next record, or undefined at the end. Throws PortError. */
  next(): Given | undefined | Promise<Given | undefined> {
    return this.#starved.length === 0 ? this.#take() : this.#fill().then(() => this.#take());
  }

  #take(): Given | undefined {
    const reading = this.#heads.pop();
    const record = reading?.records[reading.at];
    if (reading === undefined || record === undefined) return undefined;
    reading.at++;
    const isGiven = reading.at === reading.records.length;
    reading.offset = isGiven ? reading.next : record.offset + 1;
    if (isGiven) this.#starved.push(reading);
    else this.#put(reading);
    return { topic: reading.topic, partition: reading.partition, record };
  }

  async #fill(): Promise<void> {
    const starved = this.#starved;
    await this.#each(starved, (reading) => this.#read(reading));
    this.#starved = [];
    for (const reading of starved) if (!reading.isEnd) this.#put(reading);
  }

  #put(reading: Reading): void {
    if (headTime(reading) >= this.#until) reading.isEnd = true;
    else this.#heads.push(reading);
  }

  async #read(reading: Reading): Promise<void> {
    const { topic, partition, next, pageRecords } = reading;
    const page = await this.#log.read(topic, partition, next, { recordsMax: pageRecords, bytesMax });
    reading.pageRecords = Math.min(recordsMax, pageRecords * growth);
    Object.assign(reading, { records: page.records, at: 0, next: page.next, isEnd: page.records.length === 0 });
  }

  async #each(readings: readonly Reading[], work: (reading: Reading) => Promise<void>): Promise<void> {
    for (let at = 0; at < readings.length; at += atOnce)
      await Promise.all(readings.slice(at, at + atOnce).map((reading) => work(reading)));
  }
}
