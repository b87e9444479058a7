// Reads documents of one build on the caller's thread, in bounded pages, without leaving a statement open.
import type Database from 'better-sqlite3';
import { checkCount, indexOf, rangeCountMax, viewOf, type ViewPlan } from '../catalog.ts';
import type { ViewCount, ViewDocument, ViewGroup, ViewIndexKey, ViewQuery, ViewValue } from '../view-store.ts';
import { StoredValues } from './documents/stored-value.ts';
import { rangeOf, selectPage, selectKeys, type Range } from './tables/ranges.ts';
import { unreadableError } from './sqlite-errors.ts';
import { groupOf, groupsOf, tableOf } from './tables/schema.ts';

type Columns = readonly [id: string, version: number, value: string | Buffer];

export class BuildReader {
  readonly #database: Database.Database;
  readonly #build: string;
  readonly #plans: ReadonlyMap<string, ViewPlan>;
  readonly #values: ReadonlyMap<string, StoredValues>;
  /** By SQL text; their number is bounded by the views, their indexes and the kinds of pages. */
  readonly #statements = new Map<string, Database.Statement>();

  constructor(database: Database.Database, build: string, plans: ReadonlyMap<string, ViewPlan>) {
    this.#database = database;
    this.#build = build;
    this.#plans = plans;
    this.#values = new Map([...plans].map(([name, { sample }]) => [name, new StoredValues(sample)]));
  }

  get(view: string, id: string): ViewDocument | undefined {
    const sql = `SELECT id, version, value FROM ${this.#table(view)} WHERE id = ? AND value IS NOT NULL`;
    const row = this.#prepare(sql).get(id) as Columns | undefined;
    return row && this.#document(view, row);
  }

  /** Returns functions that each decode one document. */
  find(view: string, query: ViewQuery): readonly (() => ViewDocument)[] {
    const rows = this.#rows(view, query, selectPage) as Columns[];
    return rows.map((row) => () => this.#document(view, row));
  }

  places(view: string, query: ViewQuery): ViewIndexKey[] {
    const rows = this.#rows(view, query, selectKeys) as (readonly [sort: string | number, id: string])[];
    return rows.map(([sort, id]) => ({ sort, id }));
  }

  highest(view: string, query: ViewGroup): string | number | undefined {
    const { table, sort, conditions, values } = this.#range(view, query);
    const sql = `SELECT ${sort} FROM ${table} WHERE ${conditions} ORDER BY ${sort} DESC LIMIT 1`;
    const row = this.#prepare(sql).get(...values) as readonly [string | number] | undefined;
    return row?.[0];
  }

  count(view: string, query: ViewCount): number {
    if (query.from !== undefined || query.to !== undefined) return this.#countRange(view, query);
    const group = groupOf(view, indexOf(viewOf(this.#plans, view), query), query.equals);
    const sql = `SELECT documents FROM ${groupsOf(this.#build)} WHERE name = ?`;
    const row = this.#prepare(sql).get(group) as readonly [number] | undefined;
    return row?.[0] ?? 0;
  }

  #countRange(view: string, query: ViewCount): number {
    const { table, conditions, values } = this.#range(view, query);
    const sql = `SELECT COUNT(*) FROM (SELECT 1 FROM ${table} WHERE ${conditions} LIMIT ?)`;
    return (this.#prepare(sql).get(...values, rangeCountMax) as readonly [number])[0];
  }

  /** Reads documents in id order, after `after`; undefined: from the first one. */
  page(view: string, after: string | undefined, limit: number): ViewDocument[] {
    const from = after === undefined ? '' : 'AND id > ?';
    const sql = `SELECT id, version, value FROM ${this.#table(view)}
      WHERE value IS NOT NULL ${from} ORDER BY id LIMIT ?`;
    const rows = this.#prepare(sql).all(...(after === undefined ? [] : [after]), limit) as Columns[];
    return rows.map((row) => this.#document(view, row));
  }

  #rows(view: string, query: ViewQuery, select: typeof selectPage): unknown[] {
    checkCount('limit', query.limit, 1);
    const range = this.#range(view, query);
    const after = query.after === undefined ? [] : [query.after.sort, query.after.id];
    return this.#prepare(select(range, query)).all(...range.values, ...after, query.limit);
  }

  #document(view: string, [id, version, stored]: Columns): ViewDocument {
    try {
      const text = this.#values.get(view)?.read(id, stored) ?? '';
      return { id, version, value: JSON.parse(text) as ViewValue };
    } catch {
      throw unreadableError(view, id);
    }
  }

  #range(view: string, query: ViewCount): Range {
    return rangeOf(this.#build, this.#plans, view, query);
  }

  #table(view: string): string {
    return tableOf(this.#build, viewOf(this.#plans, view).name);
  }

  #prepare(sql: string): Database.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql).raw();
    this.#statements.set(sql, statement);
    return statement;
  }
}
