// Reads from the log's file: one bounded page at a time, each within one turn, by a connection that cannot write.
import Database from 'better-sqlite3';
import { topics, type TopicName } from '../../../domain/flow.ts';
import { decode } from '../../appending/encoding.ts';
import type { Page, PageBounds } from '../../log.ts';
import { PageFilling } from '../../reading/page-filling.ts';
import { textsOf } from './rows.ts';
import { indexOf, isIndexed, tableOf } from '../schema.ts';
import { troubleOf } from '../trouble.ts';

interface Where {
  readonly topic: TopicName;
  readonly partition: number;
}

interface StoredRow {
  /** Of its last record. */
  readonly offset: number;
  readonly count: number;
  readonly lines: string;
}

interface Range {
  readonly partition: number;
  readonly from: number;
  readonly recordsMax: number;
}

interface Text {
  readonly offset: number;
  readonly text: string;
  readonly bytes: number;
}

export class Pages {
  readonly #db: Database.Database;
  readonly #file: string;
  readonly #selects = new Map<TopicName, Database.Statement<[Range], StoredRow>>();

  constructor(file: string) {
    this.#file = file;
    this.#db = new Database(file, { readonly: true, fileMustExist: true });
  }

  /** From `from` up to the exclusive `limit`, which is at most the partition's end. */
  read({ topic, partition }: Where, range: { from: number; limit: number }, bounds: PageBounds): Page {
    return this.#guarded(() => {
      const page = new PageFilling(bounds);
      for (const { offset, bytes, text } of this.#texts(topic, partition, range.from, bounds.recordsMax)) {
        if (offset >= range.limit || !page.takes(bytes)) break;
        page.add(decode(text, topic, partition, offset), bytes);
      }
      return page.finished(topic, partition, range);
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

  #select(topic: TopicName): Database.Statement<[Range], StoredRow> {
    const known = this.#selects.get(topic);
    if (known !== undefined) return known;
    const made = this.#db.prepare<[Range], StoredRow>(selectOf(topic));
    this.#selects.set(topic, made);
    return made;
  }

  /** Each record's text from `from` on, of as many rows as there can be records. */
  *#texts(topic: TopicName, partition: number, from: number, recordsMax: number): Generator<Text> {
    for (const row of this.#select(topic).iterate({ partition, from, recordsMax })) {
      const first = row.offset - row.count + 1;
      for (const [i, text] of textsOf(row).entries())
        if (first + i >= from) yield { offset: first + i, text, bytes: Buffer.byteLength(text) };
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
  const columns = '"offset", count, lines';
  const range = '"offset" >= :from ORDER BY "offset" LIMIT :recordsMax';
  if (!isIndexed(topic)) return `SELECT ${columns} FROM ${table} WHERE ${range}`;
  const indexed = `FROM ${table} INDEXED BY ${indexOf(topic)} WHERE partition = :partition AND ${range}`;
  if (!topics[topic].compacted) return `SELECT ${columns} ${indexed}`;
  return `SELECT ${columns} FROM ${table} WHERE "offset" IN (SELECT "offset" ${indexed}) ORDER BY "offset"`;
}
