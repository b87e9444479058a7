// Inserts rows into topics' tables at the next offset, and deletes the older rows of their keys on compacted topics.
import type { Database, Statement } from 'better-sqlite3';
import { topics, type OwningStage, type TopicName } from '../../../../domain/flow.ts';
import type { MarkMoved } from '../../../../domain/mark/messages.ts';
import { marksTopic } from '../../../appending/access.ts';
import { positionKey, type Mark } from '../../../log.ts';
import { firstMark } from '../../../appending/mark-record.ts';
import { tableOf } from '../../schema.ts';
import type { Row, StoredRow, StoredTopicRows } from '../../rows/rows.ts';

type Values = (number | string | Buffer | null)[];

export class TopicTables {
  readonly #db: Database;
  readonly #statements = new Map<string, Statement<Values>>();
  readonly #nextOffsets = new Map<TopicName, number>();
  readonly #marks = new Map<string, Mark>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Call in a transaction. Returns the first record's offset; the others follow without a gap. */
  insert({ topic, rows }: StoredTopicRows): number {
    const first = this.#nextOffset(topic);
    const columns = '("offset", partition, key, count, lines)';
    const insert = this.#statement(
      `insert ${topic}`,
      `INSERT INTO ${tableOf(topic)} ${columns} VALUES (?, ?, ?, ?, ?)`,
    );
    let next = first;
    for (const { partition, key, count, lines, isTombstone } of rows) {
      next += count;
      insert.run(next - 1, partition, key, count, lines);
      if (isTombstone === true) this.#recordTombstone(topic, next - 1);
    }
    if (topics[topic].compacted) this.#compact(topic, rows, first);
    this.#nextOffsets.set(topic, next);
    return first;
  }

  /** Moves the start of the partition up to `below`, never back. */
  trim(topic: TopicName, partition: number, below: number): void {
    const sql = `INSERT INTO trimmed (topic, partition, below) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET below = max(below, excluded.below)`;
    this.#statement('trim', sql).run(topic, partition, below);
  }

  /** The current mark of an owned partition. */
  mark(stage: OwningStage, partition: number): Mark {
    const topic = marksTopic(stage);
    const known = this.#marks.get(positionKey(topic, partition));
    if (known !== undefined) return known;
    const sql = `SELECT lines FROM ${tableOf(topic)} WHERE partition = ? AND key = ? ORDER BY "offset" DESC LIMIT 1`;
    const found = this.#statement(`mark ${topic}`, sql).get(partition, String(partition));
    return found === undefined ? firstMark : (JSON.parse((found as { lines: string }).lines) as MarkMoved).data;
  }

  /** Returns the offset. Only this connection writes marks, so the last one written is the current one. */
  insertMark(stage: OwningStage, mark: Mark, { partition, key, lines }: Omit<Row, 'count'>): number {
    const topic = marksTopic(stage);
    const offset = this.insert({ topic, rows: [{ partition, key, count: 1, lines }] });
    this.#marks.set(positionKey(topic, partition), mark);
    return offset;
  }

  /** Call after a transaction was rolled back. */
  clearCache(): void {
    this.#nextOffsets.clear();
    this.#marks.clear();
  }

  /** Returns an offset above all used ones, deleted rows included: SQLite keeps this number for AUTOINCREMENT. */
  #nextOffset(topic: TopicName): number {
    const known = this.#nextOffsets.get(topic);
    if (known !== undefined) return known;
    const last = this.#statement('last', 'SELECT seq FROM sqlite_sequence WHERE name = ?').get(topic);
    return ((last as { seq: number } | undefined)?.seq ?? 0) + 1;
  }

  #compact(topic: TopicName, rows: readonly StoredRow[], first: number): void {
    const sql = `DELETE FROM ${tableOf(topic)} WHERE partition = ? AND key = ? AND "offset" < ?`;
    const compact = this.#statement(`compact ${topic}`, sql);
    for (const [i, { partition, key }] of rows.entries()) compact.run(partition, key, first + i);
  }

  #recordTombstone(topic: TopicName, offset: number): void {
    this.#statement('tombstone', 'INSERT INTO tombstones (topic, "offset") VALUES (?, ?)').run(topic, offset);
  }

  #statement(name: string, sql: string): Statement<Values> {
    const known = this.#statements.get(name);
    if (known !== undefined) return known;
    const made = this.#db.prepare<Values>(sql);
    this.#statements.set(name, made);
    return made;
  }
}
