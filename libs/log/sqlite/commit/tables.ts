// Inserting rows into topics' tables: as many by one statement as possible, older ones of a key deleted where only the newest counts.
import type { Database, Statement } from 'better-sqlite3';
import { topics, type OwningStage, type TopicName } from '../../../domain/flow.ts';
import type { MarkMoved } from '../../mark-record.ts';
import { firstMark } from '../../mark-record.ts';
import { marksTopic } from '../../access.ts';
import type { Mark } from '../../log.ts';
import { tableOf } from '../schema.ts';
import type { Rows } from './order.ts';

const columns = 3;
/** Rows for one statement: one call for 16 rows takes half the time of 16 calls; more gain nothing. */
const rowsAtOnce = [16, 4, 1] as const;

type Values = (number | string)[];

export class Tables {
  readonly #db: Database;
  readonly #statements = new Map<string, Statement<Values>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Within the caller's transaction; gives the first row's offset, which the others follow without a gap. */
  insert({ topic, values }: Rows): number {
    let last = 0;
    for (let from = 0; from < values.length;) {
      const rows = rowsAtOnce.find((count) => count * columns <= values.length - from) ?? 1;
      last = this.#run(this.#insertOf(topic, rows), values.slice(from, from + rows * columns));
      from += rows * columns;
    }
    const first = last - values.length / columns + 1;
    if (topics[topic].compacted) this.#compact(topic, values, first);
    return first;
  }

  /** The mark that stands for an owned partition, in the caller's transaction. */
  mark(stage: OwningStage, partition: number): Mark {
    const topic = marksTopic(stage);
    const sql = `SELECT record FROM ${tableOf(topic)} WHERE partition = ? ORDER BY "offset" DESC LIMIT 1`;
    const found = this.#statement(`mark ${topic}`, sql).get(partition) as { record: string } | undefined;
    return found === undefined ? firstMark : (JSON.parse(found.record) as MarkMoved).data;
  }

  #compact(topic: TopicName, values: Rows['values'], first: number): void {
    const sql = `DELETE FROM ${tableOf(topic)} WHERE partition = ? AND key = ? AND "offset" < ?`;
    const compact = this.#statement(`compact ${topic}`, sql);
    for (let i = 0; i < values.length; i += columns)
      compact.run(...(values.slice(i, i + 2) as Values), first + i / columns);
  }

  #insertOf(topic: TopicName, rows: number): Statement<Values> {
    const row = '(?, ?, ?)';
    const sql = `INSERT INTO ${tableOf(topic)} (partition, key, record) VALUES ${Array(rows).fill(row).join(', ')}`;
    return this.#statement(`insert ${rows} ${topic}`, sql);
  }

  #run(statement: Statement<Values>, values: Values): number {
    return Number(statement.run(...values).lastInsertRowid);
  }

  #statement(name: string, sql: string): Statement<Values> {
    const known = this.#statements.get(name);
    if (known !== undefined) return known;
    const made = this.#db.prepare<Values>(sql);
    this.#statements.set(name, made);
    return made;
  }
}
