// Reads from the log's file: one bounded page at a time, each within one turn, by a connection that cannot write.
import Database from 'better-sqlite3';
import { topics, type TopicName } from '../../domain/flow.ts';
import type { StoredRecord } from '../../domain/message.ts';
import { decode } from '../encoding.ts';
import type { Page, PageBounds } from '../log.ts';
import { indexOf, isIndexed, tableOf } from './schema.ts';
import { damaged, troubleOf } from './trouble.ts';

interface Row {
  readonly offset: number;
  readonly bytes: number;
  readonly record: string;
}

interface Range {
  readonly partition: number;
  readonly from: number;
  readonly limit: number;
  readonly recordsMax: number;
}

export class Pages {
  readonly #db: Database.Database;
  readonly #file: string;
  readonly #selects = new Map<TopicName, Database.Statement<[Range], Row>>();

  constructor(file: string) {
    this.#file = file;
    this.#db = new Database(file, { readonly: true, fileMustExist: true });
  }

  /** From `from` up to the exclusive `limit`, which is at most the topic's end. */
  read(topic: TopicName, partition: number, from: number, limit: number, bounds: PageBounds): Page {
    const range = { partition, from, limit, recordsMax: bounds.recordsMax };
    return this.#guarded(() => {
      const records: StoredRecord[] = [];
      let bytes = 0;
      for (const row of this.#select(topic).iterate(range)) {
        bytes += row.bytes;
        if (records.length > 0 && bytes > bounds.bytesMax) break;
        records.push(this.#decoded(row, topic, partition));
        if (records.length === bounds.recordsMax) break;
      }
      const stopped = records.length === bounds.recordsMax || bytes > bounds.bytesMax;
      const next = stopped ? (records.at(-1)?.offset ?? from - 1) + 1 : Math.max(from, limit);
      return { topic, partition, records, next };
    });
  }

  /** One above the last offset in the file. */
  end(topic: TopicName, partition: number): number {
    const last = `SELECT max("offset") FROM ${tableOf(topic)}`;
    const sql = isIndexed(topic) ? `${last} INDEXED BY ${indexOf(topic)} WHERE partition = ?` : last;
    return this.#guarded(() => {
      const found = this.#db.prepare(sql).pluck();
      const offset = (isIndexed(topic) ? found.get(partition) : found.get()) as number | null;
      return (offset ?? -1) + 1;
    });
  }

  close(): void {
    this.#db.close();
  }

  #select(topic: TopicName): Database.Statement<[Range], Row> {
    const known = this.#selects.get(topic);
    if (known !== undefined) return known;
    const made = this.#db.prepare<[Range], Row>(selectOf(topic));
    this.#selects.set(topic, made);
    return made;
  }

  #decoded({ offset, record }: Row, topic: TopicName, partition: number): StoredRecord {
    try {
      return decode(record, topic, partition, offset);
    } catch (error) {
      throw damaged(`${this.#file} at ${topic}/${partition} offset ${offset}`, error);
    }
  }

  #guarded<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw troubleOf(error, this.#file);
    }
  }
}

/** A compacted topic's index is in the order of keys: the page's offsets are picked from it alone, before any record is read. */
function selectOf(topic: TopicName): string {
  const table = tableOf(topic);
  const columns = `"offset", octet_length(record) AS bytes, record`;
  const range = '"offset" >= :from AND "offset" < :limit';
  const order = 'ORDER BY "offset" LIMIT :recordsMax';
  if (!isIndexed(topic)) return `SELECT ${columns} FROM ${table} WHERE ${range} ${order}`;
  const indexed = `FROM ${table} INDEXED BY ${indexOf(topic)} WHERE partition = :partition AND ${range} ${order}`;
  if (!topics[topic].compacted) return `SELECT ${columns} ${indexed}`;
  return `SELECT ${columns} FROM ${table} WHERE "offset" IN (SELECT "offset" ${indexed}) ORDER BY "offset"`;
}
