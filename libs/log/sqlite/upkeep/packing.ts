// Packs rows once enough of them are adjacent: a fifth of the bytes, and of the work to read or delete them.
import type { Database, Statement } from 'better-sqlite3';
import { partitionCount, topicNames, topics, type TopicName } from '../../../domain/flow.ts';
import type { LogPartition } from '../../appending/access.ts';
import { pack, packBytes } from '../rows/row-packs.ts';
import { recordsOf, type StoredTopicRows } from '../rows/rows.ts';
import { rowsWithin, tableOf } from '../schema.ts';
import type { Chore } from './upkeep.ts';

/** The most rows of one step, which bounds it when rows are tiny. */
const packRowsMax = 512;

interface UnpackedRow {
  readonly offset: number;
  readonly count: number;
  readonly lines: string;
}

/** `lines` is null in rows that are packs already, written by a large append. */
interface PackableRow extends Omit<UnpackedRow, 'lines'> {
  readonly lines: string | null;
}

/** Rows that can become one pack; empty if there are not enough yet. */
interface PackableRows {
  readonly rows: readonly UnpackedRow[];
  readonly bytes: number;
  /** All rows below this offset are packed. */
  readonly packedBelow: number;
}

interface Statements {
  readonly unpacked: Statement<[{ partition: number; from: number }], PackableRow>;
  readonly remove: Statement<[{ partition: number; from: number; to: number }]>;
  readonly insert: Statement<[{ partition: number; to: number; count: number; lines: Buffer }]>;
}

export class Packing implements Chore {
  readonly #db: Database;
  readonly #statements = new Map<TopicName, Statements>();
  readonly #partitions: readonly LogPartition[];
  /** Unpacked bytes by topic and partition; absent until its rows are first counted. */
  readonly #unpacked = new Map<string, number>();
  readonly #selectPackedBelow: Statement<[TopicName, number], number>;
  readonly #storePackedBelow: Statement<[TopicName, number, number]>;

  constructor(db: Database, partitions: number) {
    this.#db = db;
    this.#partitions = topicNames
      .filter((topic) => !topics[topic].compacted)
      .flatMap((topic) =>
        Array.from({ length: partitionCount(topic, partitions) }, (_, partition) => ({ topic, partition })),
      );
    this.#selectPackedBelow = db
      .prepare<[TopicName, number], number>('SELECT below FROM packed WHERE topic = ? AND partition = ?')
      .pluck();
    this.#storePackedBelow = db.prepare('INSERT OR REPLACE INTO packed (topic, partition, below) VALUES (?, ?, ?)');
  }

  /** Call with the appended rows; those that are packs already add nothing to the count. */
  countAppended(appended: readonly StoredTopicRows[]): void {
    for (const { topic, rows } of appended)
      for (const { partition, lines } of rows) {
        const partitionKey = `${topic}/${partition}`;
        const known = this.#unpacked.get(partitionKey);
        if (known !== undefined && typeof lines === 'string') this.#unpacked.set(partitionKey, known + lines.length);
      }
  }

  step(): boolean {
    return this.#partitions.some((logPartition) => {
      const unpacked = this.#unpacked.get(`${logPartition.topic}/${logPartition.partition}`) ?? Infinity;
      return unpacked >= packBytes && this.#pack(logPartition);
    });
  }

  #pack({ topic, partition }: LogPartition): boolean {
    const { remove, insert } = this.#statementsOf(topic);
    const partitionKey = `${topic}/${partition}`;
    const { rows, bytes, packedBelow } = this.#find(topic, partition);
    const last = rows.at(-1);
    if (last === undefined && packedBelow > this.#packedBelow(topic, partition)) {
      this.#storePackedBelow.run(topic, partition, packedBelow);
      return true;
    }
    if (last === undefined) {
      this.#unpacked.set(partitionKey, bytes);
      return false;
    }
    const records = rows.flatMap((row) => recordsOf(row, row.lines));
    const { changes } = remove.run({ partition, from: packedBelow, to: last.offset });
    if (changes !== rows.length) throw new Error(`${partitionKey}: ${rows.length} rows were read, ${changes} removed`);
    insert.run({ partition, to: last.offset, count: records.length, lines: pack(records) });
    this.#storePackedBelow.run(topic, partition, last.offset + 1);
    const known = this.#unpacked.get(partitionKey);
    if (known !== undefined) this.#unpacked.set(partitionKey, known - bytes);
    return true;
  }

  /** Finds the first unpacked rows, up to the next pack: the range of offsets of a pack never contains another pack. */
  #find(topic: TopicName, partition: number): PackableRows {
    let packedBelow = this.#packedBelow(topic, partition);
    const rows: UnpackedRow[] = [];
    let bytes = 0;
    for (const { offset, count, lines } of this.#statementsOf(topic).unpacked.iterate({
      partition,
      from: packedBelow,
    })) {
      if (lines !== null) {
        rows.push({ offset, count, lines });
        bytes += lines.length;
      } else if (rows.length === 0) packedBelow = offset + 1;
      if (bytes >= packBytes || (lines === null && rows.length > 0)) return { rows, bytes, packedBelow };
    }
    return { rows: rows.length === packRowsMax ? rows : [], bytes, packedBelow };
  }

  #packedBelow(topic: TopicName, partition: number): number {
    return this.#selectPackedBelow.get(topic, partition) ?? 0;
  }

  #statementsOf(topic: TopicName): Statements {
    const known = this.#statements.get(topic);
    if (known !== undefined) return known;
    const table = tableOf(topic);
    const rows = `FROM ${rowsWithin(topic)} AND "offset" >= :from`;
    const made: Statements = {
      unpacked: this.#db.prepare(
        `SELECT "offset", count, CASE typeof(lines) WHEN 'text' THEN lines END AS lines ${rows} ORDER BY "offset" LIMIT ${packRowsMax}`,
      ),
      remove: this.#db.prepare(`DELETE FROM ${table} WHERE "offset" IN (SELECT "offset" ${rows} AND "offset" <= :to)`),
      insert: this.#db.prepare(
        `INSERT INTO ${table} ("offset", partition, key, count, lines) VALUES (:to, :partition, NULL, :count, :lines)`,
      ),
    };
    this.#statements.set(topic, made);
    return made;
  }
}
