// Reads from the log's file, one bounded page at a time, each within one turn, through a read-only connection.
import Database from 'better-sqlite3';
import type { TopicName } from '../../../domain/flow.ts';
import type { LogPartition } from '../../appending/access.ts';
import { decode } from '../../appending/encoding.ts';
import { positionKey, type Page, type PageBounds } from '../../log.ts';
import { PageBuilder } from '../../reading/page-builder.ts';
import { unpack } from '../rows/row-packs.ts';
import { recordsOf, type RecordText } from '../rows/rows.ts';
import { cachePagesMax, rowsWithin, selectTrimmed } from '../schema.ts';
import { portErrorOf } from '../sqlite-errors.ts';

/** The most unpacked packs in memory, each about 128 KiB: one for each partition that is read at the same time. */
const packsMax = 8;

interface StoredRow {
  /** The offset of the row's last record. */
  readonly offset: number;
  readonly count: number;
  /** A pack if it is a BLOB. */
  readonly lines: string | Buffer;
}

interface Range {
  readonly partition: number;
  readonly from: number;
  readonly recordsMax: number;
}

interface SizedText extends RecordText {
  readonly bytes: number;
}

export class LogPages {
  readonly #db: Database.Database;
  readonly #file: string;
  /** The packs read last, for readers that read record by record. */
  readonly #packs = new Map<string, readonly RecordText[]>();
  readonly #selects = new Map<TopicName, Database.Statement<[Range], StoredRow>>();

  constructor(file: string) {
    this.#file = file;
    this.#db = new Database(file, { readonly: true, fileMustExist: true });
    this.#db.pragma(`cache_size = ${cachePagesMax}`);
  }

  /** Reads from `from` up to the exclusive `limit`, which is at most the partition's end. */
  read({ topic, partition }: LogPartition, range: { from: number; limit: number }, bounds: PageBounds): Page {
    return this.#withPortErrors(() => {
      const page = new PageBuilder(bounds);
      for (const { offset, bytes, text } of this.#texts(topic, partition, range.from, bounds.recordsMax)) {
        if (offset >= range.limit || !page.hasRoomFor(bytes)) break;
        page.add(decode(text, topic, partition, offset), bytes);
      }
      return page.build(topic, partition, range);
    });
  }

  /** Returns the offset after the last one in the file. */
  end(topic: TopicName, partition: number): number {
    return this.#withPortErrors(() => {
      const last = this.#db
        .prepare(`SELECT max("offset") FROM ${rowsWithin(topic)}`)
        .pluck()
        .get({ partition });
      return ((last as number | null) ?? -1) + 1;
    });
  }

  /** Returns the offset below which nothing is read, by topic and partition. */
  trimOffsets(): ReadonlyMap<string, number> {
    return this.#withPortErrors(() => {
      const rows = selectTrimmed(this.#db).all();
      return new Map(rows.map(({ topic, partition, below }) => [positionKey(topic, partition), below]));
    });
  }

  usedBytes(): number {
    return this.#withPortErrors(() => {
      const [pages = 0, free = 0, bytes = 0] = ['page_count', 'freelist_count', 'page_size'].map((name) =>
        Number(this.#db.pragma(name, { simple: true })),
      );
      return (pages - free) * bytes;
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

  /** Yields each record's text from `from` on, reading at most `recordsMax` rows. */
  *#texts(topic: TopicName, partition: number, from: number, recordsMax: number): Generator<SizedText> {
    for (const row of this.#select(topic).iterate({ partition, from, recordsMax })) {
      const records = typeof row.lines === 'string' ? recordsOf(row, row.lines) : this.#unpackRow(topic, row);
      for (const { offset, text } of records)
        if (offset >= from) yield { offset, text, bytes: Buffer.byteLength(text) };
    }
  }

  #unpackRow(topic: TopicName, row: StoredRow): readonly RecordText[] {
    const packKey = `${topic}/${row.offset}`;
    const known = this.#packs.get(packKey);
    if (known !== undefined) return known;
    const records = unpack(row.lines as Buffer, row, this.#file);
    this.#packs.set(packKey, records);
    const [oldest] = this.#packs.keys();
    if (this.#packs.size > packsMax && oldest !== undefined) this.#packs.delete(oldest);
    return records;
  }

  #withPortErrors<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw portErrorOf(error, this.#file);
    }
  }
}

export const selectOf = (topic: TopicName): string =>
  `SELECT "offset", count, lines FROM ${rowsWithin(topic)} AND "offset" >= :from ORDER BY "offset" LIMIT :recordsMax`;
