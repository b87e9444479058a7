// Writes documents of one build: put if newer, and the count of each index group kept up to date.
import type Database from 'better-sqlite3';
import { indexOf, type IndexedValue, type ViewPlan } from '../../catalog.ts';
import type { ViewRange } from '../../view-store.ts';
import { StoredValues } from '../documents/stored-value.ts';
import { columnOf, countsOf, groupOf, tableOf } from '../schema.ts';

/** A document as sent to the writing thread: its JSON text, made once, and the view's field values, in order. */
export interface Row {
  readonly view: string;
  readonly id: string;
  readonly version: number;
  /** Whether there probably is none of its id yet. */
  readonly isNew: boolean;
  /** null is a tombstone, which has no fields. */
  readonly text: string | null;
  readonly fields: readonly IndexedValue[];
}

type Standing = readonly [version: number, stands: number, ...fields: IndexedValue[]];

interface ViewStatements {
  readonly plan: ViewPlan;
  readonly values: StoredValues;
  readonly read: Database.Statement;
  readonly insert: Database.Statement;
  readonly update: Database.Statement;
}

function prepareView(database: Database.Database, build: string, plan: ViewPlan): ViewStatements {
  const table = tableOf(build, plan.name);
  const columns = plan.fields.map(columnOf);
  const all = ['version', 'value', ...columns, 'id'];
  return {
    plan,
    values: new StoredValues(plan.sample),
    read: database
      .prepare(`SELECT ${['version', 'value IS NOT NULL', ...columns].join(', ')} FROM ${table} WHERE id = ?`)
      .raw(),
    insert: database.prepare(
      `INSERT INTO ${table} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')}) ON CONFLICT (id) DO NOTHING`,
    ),
    update: database.prepare(
      `UPDATE ${table} SET ${['version', 'value', ...columns].map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
    ),
  };
}

export class BuildWriter {
  readonly #database: Database.Database;
  readonly #build: string;
  readonly #views: ReadonlyMap<string, ViewStatements>;
  readonly #count: Database.Statement;
  readonly #put: (rows: readonly Row[]) => void;
  /** Group -> change of its document count, collected over one transaction. */
  readonly #changes = new Map<string, number>();

  constructor(database: Database.Database, build: string, plans: ReadonlyMap<string, ViewPlan>) {
    this.#database = database;
    this.#build = build;
    this.#views = new Map([...plans].map(([name, plan]) => [name, prepareView(database, build, plan)]));
    this.#count = database.prepare(
      `INSERT INTO ${countsOf(build)} (name, documents) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET documents = documents + excluded.documents`,
    );
    this.#put = database.transaction((rows: readonly Row[]) => this.#write(rows));
  }

  /** One transaction: all or nothing. */
  put(rows: readonly Row[]): void {
    this.#put(rows);
  }

  /** One transaction of at most `limit` documents; returns how many were removed. */
  remove(view: string, range: ViewRange, limit: number): number {
    return this.#database.transaction(() => this.#removeSome(this.#viewOf(view), range, limit))();
  }

  #write(rows: readonly Row[]): void {
    this.#changes.clear();
    for (const row of rows) this.#writeOne(row);
    this.#saveCounts();
  }

  #saveCounts(): void {
    for (const [group, documents] of this.#changes) if (documents !== 0) this.#count.run(group, documents);
  }

  #removeSome({ plan }: ViewStatements, range: ViewRange, limit: number): number {
    this.#changes.clear();
    const table = tableOf(this.#build, plan.name);
    const columns = plan.fields.map(columnOf);
    const { conditions, values } = conditionsOf(plan, range);
    const found = this.#database
      .prepare(`SELECT ${['id', ...columns].join(', ')} FROM ${table} WHERE ${conditions} LIMIT ?`)
      .raw()
      .all(...values, limit) as [id: string, ...fields: IndexedValue[]][];
    const none = ['value', ...columns].map((column) => `${column} = NULL`).join(', ');
    const gone = range.leaves === 'nothing' ? `DELETE FROM ${table}` : `UPDATE ${table} SET ${none}`;
    const remove = this.#database.prepare(`${gone} WHERE id = ?`);
    for (const [id, ...fields] of found) {
      remove.run(id);
      this.#collect(plan, fields, -1);
    }
    this.#saveCounts();
    return found.length;
  }

  #viewOf(name: string): ViewStatements {
    const view = this.#views.get(name);
    if (view === undefined) throw new Error(`No view ${name}`);
    return view;
  }

  /** Most documents are new and never change: those are written without a look at what stands. */
  #writeOne(row: Row): void {
    const view = this.#viewOf(row.view);
    const fields = row.text === null ? view.plan.fields.map(() => null) : row.fields;
    const value = row.text === null ? null : view.values.store(row.id, row.text);
    const written = [row.version, value, ...fields, row.id];
    if (!row.isNew || view.insert.run(...written).changes === 0) {
      const before = view.read.get(row.id) as Standing | undefined;
      if (before !== undefined && before[0] >= row.version) return;
      (before === undefined ? view.insert : view.update).run(...written);
      if (before?.[1] === 1) this.#collect(view.plan, before.slice(2), -1);
    }
    if (row.text !== null) this.#collect(view.plan, row.fields, 1);
  }

  #collect(plan: ViewPlan, fields: readonly unknown[], by: 1 | -1): void {
    for (const index of plan.indexes) {
      const matched = index.matched.map((field) => fields[plan.fields.indexOf(field)]);
      const group = groupOf(plan.name, index, matched);
      this.#changes.set(group, (this.#changes.get(group) ?? 0) + by);
    }
  }
}

/** Tombstones have no index values, so a condition on the sort field leaves them out within the index. */
function conditionsOf(plan: ViewPlan, range: ViewRange): { readonly conditions: string; readonly values: unknown[] } {
  const { matched, sort } = indexOf(plan, range);
  const column = columnOf(sort);
  const bounds = [
    ...(range.from === undefined ? [] : [[`${column} >= ?`, range.from] as const]),
    ...(range.to === undefined ? [] : [[`${column} < ?`, range.to] as const]),
    ['version < ?', range.belowVersion] as const,
  ];
  const conditions = [...matched.map((field) => `${columnOf(field)} = ?`), `${column} IS NOT NULL`];
  return {
    conditions: [...conditions, ...bounds.map(([condition]) => condition)].join(' AND '),
    values: [...range.equals, ...bounds.map(([, value]) => value)],
  };
}
