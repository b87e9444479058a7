// A log file without its threads, for specs of the upkeep between commits: appends records, runs chores, reads pages.
import { randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import type { TopicName } from '../../../domain/flow.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import { encode } from '../../appending/encoding.ts';
import { outgoing } from '../../contract/harness.ts';
import { TopicTables } from '../commit/transaction/topic-tables.ts';
import { prepareFile } from '../file.ts';
import { makeDirectory } from '../fixture/directory.ts';
import { LogPages } from '../reading/pages.ts';
import { packAdjacentRows } from '../rows/pack-adjacent-rows.ts';
import { rowsOf } from '../rows/rows.ts';
import type { Chore } from './upkeep.ts';

export class LogFile {
  readonly #directory = makeDirectory();
  readonly file = this.#directory.file;
  readonly db: Database.Database;
  readonly #tables: TopicTables;

  constructor() {
    prepareFile(this.file, 4);
    this.db = new Database(this.file);
    this.db.pragma('synchronous = OFF');
    this.#tables = new TopicTables(this.db);
  }

  /** Appends `count` records together, each with `bytes` of data that compress badly. */
  append(topic: TopicName, partition: number, count: number, bytes: number): void {
    const records = Array.from({ length: count }, () =>
      outgoing(topic, partition, { data: { text: randomText(bytes) } }),
    );
    const write = this.db.transaction(() => {
      for (const rows of rowsOf(encode(records))) this.#tables.insert({ topic, rows: [...packAdjacentRows(rows)] });
    });
    write();
  }

  trim(topic: TopicName, partition: number, below: number): void {
    this.#tables.trim(topic, partition, below);
  }

  /** Repeats steps of the chore until nothing is left to do; returns their number. */
  runChore(chore: Chore): number {
    let steps = 0;
    while (this.db.transaction(() => chore.step())()) steps++;
    return steps;
  }

  read(topic: TopicName, partition: number, from = 0): readonly StoredRecord[] {
    const pages = new LogPages(this.file);
    const limit = pages.end(topic, partition);
    const page = pages.read({ topic, partition }, { from, limit }, { recordsMax: 1_000_000, bytesMax: Infinity });
    pages.close();
    return page.records;
  }

  rows(topic: TopicName): number {
    return Number(this.db.prepare(`SELECT count(*) FROM "${topic}"`).pluck().get());
  }

  packs(topic: TopicName): number {
    return Number(this.db.prepare(`SELECT count(*) FROM "${topic}" WHERE typeof(lines) = 'blob'`).pluck().get());
  }

  remove(): void {
    this.db.close();
    this.#directory.remove();
  }
}

const randomText = (length: number): string => randomBytes(length / 2).toString('hex');
