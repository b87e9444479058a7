// One build in SQLite: reads on this thread, writes through the writing thread in bounded transactions.
import { PortError } from '../../domain/port-error.ts';
import type { Positions } from '../../log/log.ts';
import { checkCount, indexedValue, indexOf, viewOf, type ViewPlan } from '../catalog.ts';
import { mapInTurns } from '../../primitives/event-loop/turn.ts';
import { advancePositions } from '../advance-positions.ts';
import {
  ViewBuild,
  type HeldRecords,
  type ViewCount,
  type ViewDocument,
  type ViewGroup,
  type ViewIndexKey,
  type ViewQuery,
  type ViewRange,
  type ViewWrite,
} from '../view-store.ts';
import type { BuildReader } from './build-reader.ts';
import type { Row } from './writing/build-writer.ts';
import { packRows } from './writing/packed-rows.ts';
import { onSqlite } from './sqlite-errors.ts';
import type { ViewWriter } from './writing/view-writer.ts';

/** Rows per transaction: enough to share its cost, few enough that the next job starts within about 10 ms. */
const rowsPerTransaction = 500;
/** Documents removed per transaction: each transaction writes the pages of all indexes that it touches once. */
const removedPerTransaction = 4_000;
/** A transaction holds few large documents, so that other writes wait for no more than a megabyte. */
const charactersPerTransaction = 1024 * 1024;
/** Documents that `all` reads at once: each can hold 1 MiB. */
const rowsPerPage = 50;

export interface BuildParts {
  readonly name: string;
  readonly file: string;
  readonly plans: ReadonlyMap<string, ViewPlan>;
  readonly reader: BuildReader;
  readonly writer: ViewWriter;
  readonly checkpoint: Positions;
  readonly held: HeldRecords;
}

export class SqliteViewBuild extends ViewBuild {
  readonly name: string;
  readonly #parts: BuildParts;
  /** The checkpoint as last written: no other process writes the file. */
  #checkpoint: Positions;
  /** The checkpoint as last submitted for writing. */
  #saving: Positions;
  #held: HeldRecords;
  #endReason: string | undefined;

  constructor(parts: BuildParts) {
    super();
    this.name = parts.name;
    this.#parts = parts;
    this.#checkpoint = parts.checkpoint;
    this.#saving = parts.checkpoint;
    this.#held = parts.held;
  }

  /** Makes every later call throw PortError `closed`. */
  end(reason: string): void {
    this.#endReason = reason;
  }

  async put(writes: readonly ViewWrite[]): Promise<void> {
    this.#checkNotEnded();
    const fields = writes.map((write) => this.#fieldsOf(write));
    for (let from = 0; from < writes.length;) {
      const rows: Row[] = [];
      for (let characters = 0; from < writes.length && rows.length < rowsPerTransaction; from++) {
        const write = writes[from];
        if (write === undefined || characters >= charactersPerTransaction) break;
        const text = write.value === undefined ? null : JSON.stringify(write.value);
        const { view, id, version, isNew = false } = write;
        rows.push({ view, id, version, isNew, text, fields: fields[from] ?? [] });
        characters += text?.length ?? 0;
      }
      await this.#parts.writer.submit({ kind: 'put', build: this.name, rows: packRows(rows) });
      this.#checkNotEnded();
    }
  }

  async removeRange(view: string, range: ViewRange): Promise<void> {
    this.#checkNotEnded();
    indexOf(viewOf(this.#parts.plans, view), range);
    for (let removed = removedPerTransaction; removed >= removedPerTransaction;) {
      const job = { kind: 'remove', build: this.name, view, range, limit: removedPerTransaction } as const;
      removed = Number(await this.#parts.writer.submit(job));
      this.#checkNotEnded();
    }
  }

  async get(view: string, id: string): Promise<ViewDocument | undefined> {
    return this.#read((reader) => reader.get(view, id));
  }

  async getMany(view: string, ids: readonly string[]): Promise<readonly (ViewDocument | undefined)[]> {
    checkCount('getMany', ids.length, 0);
    return await mapInTurns(ids, (id) => this.#read((reader) => reader.get(view, id)));
  }

  async find(view: string, query: ViewQuery): Promise<readonly ViewDocument[]> {
    const found = this.#read((reader) => reader.find(view, query));
    return await mapInTurns(found, (document) => this.#read(document));
  }

  async findKeys(view: string, query: ViewQuery): Promise<readonly ViewIndexKey[]> {
    return this.#read((reader) => reader.places(view, query));
  }

  async highest(view: string, query: ViewGroup): Promise<string | number | undefined> {
    return this.#read((reader) => reader.highest(view, query));
  }

  async count(view: string, query: ViewCount): Promise<number> {
    return this.#read((reader) => reader.count(view, query));
  }

  async checkpoint(): Promise<Positions> {
    this.#checkNotEnded();
    return this.#checkpoint;
  }

  /** Only reads the checkpoint, since no other process switches builds. */
  resume(): Promise<Positions> {
    return this.checkpoint();
  }

  async saveCheckpoint(positions: Positions, held: HeldRecords = {}): Promise<void> {
    this.#checkNotEnded();
    const saved = advancePositions(this.#saving, positions);
    this.#saving = saved;
    this.#held = { ...this.#held, ...held };
    const texts = { positions: JSON.stringify(saved), held: JSON.stringify(this.#held) };
    await this.#parts.writer.submit({ kind: 'checkpoint', build: this.name, ...texts });
    this.#checkpoint = advancePositions(this.#checkpoint, saved);
  }

  async heldRecords(): Promise<HeldRecords> {
    this.#checkNotEnded();
    return this.#held;
  }

  async *all(view: string): AsyncIterable<ViewDocument> {
    for (let after: string | undefined; ;) {
      const startAfter = after;
      const documents = this.#read((reader) => reader.page(view, startAfter, rowsPerPage));
      yield* documents;
      after = documents.at(-1)?.id;
      if (after === undefined) return;
    }
  }

  #fieldsOf({ view, value }: ViewWrite): Row['fields'] {
    const plan = viewOf(this.#parts.plans, view);
    return value === undefined ? [] : plan.fields.map((field) => indexedValue(plan, field, value));
  }

  #read<Result>(read: (reader: BuildReader) => Result): Result {
    this.#checkNotEnded();
    return onSqlite(this.#parts.file, () => read(this.#parts.reader));
  }

  #checkNotEnded(): void {
    if (this.#endReason !== undefined) throw new PortError('closed', this.#endReason);
  }
}
