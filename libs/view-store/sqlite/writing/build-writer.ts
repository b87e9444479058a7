// Writes documents of one build, each only if newer, and keeps the count of each index group up to date.
import type Database from 'better-sqlite3';
import type { IndexedValue, ViewPlan } from '../../catalog.ts';
import type { ViewRange } from '../../view-store.ts';
import { StoredValues } from '../documents/stored-value.ts';
import { rangeOf } from '../tables/ranges.ts';
import { groupOf, indexedColumnsOf, sortsOf, tableOf } from '../tables/schema.ts';
import { Groups } from './groups.ts';

/** A document as it is sent to the writing thread: its JSON text, made once, and the view's field values, in order. */
export interface Row {
  readonly view: string;
  readonly id: string;
  readonly version: number;
  /** Whether probably no document has its id yet. */
  readonly isNew: boolean;
  /** null for a tombstone, which has no fields. */
  readonly text: string | null;
  readonly fields: readonly IndexedValue[];
}

/** In the order of `indexedColumnsOf`. */
type Indexed = readonly (IndexedValue | null)[];
type StoredState = readonly [version: number, stands: number, ...indexed: Indexed];

interface ViewStatements {
  readonly plan: ViewPlan;
  readonly values: StoredValues;
  /** The places, among the fields of a row, of the fields that each index matches, and of the sort fields. */
  readonly matchedAt: readonly (readonly number[])[];
  readonly sortsAt: readonly number[];
  readonly read: Database.Statement;
  readonly insert: Database.Statement;
  readonly update: Database.Statement;
}

function prepareView(database: Database.Database, build: string, plan: ViewPlan): ViewStatements {
  const table = tableOf(build, plan.name);
  const columns = indexedColumnsOf(plan);
  const all = ['version', 'value', ...columns, 'id'];
  const fieldIndexOf = (field: string): number => plan.fields.indexOf(field);
  return {
    plan,
    values: new StoredValues(plan.sample),
    matchedAt: plan.indexes.map(({ matched }) => matched.map(fieldIndexOf)),
    sortsAt: sortsOf(plan).map(fieldIndexOf),
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
  readonly #plans: ReadonlyMap<string, ViewPlan>;
  readonly #views: ReadonlyMap<string, ViewStatements>;
  readonly #groups: Groups;

  constructor(database: Database.Database, build: string, plans: ReadonlyMap<string, ViewPlan>) {
    this.#database = database;
    this.#build = build;
    this.#plans = plans;
    this.#views = new Map([...plans].map(([name, plan]) => [name, prepareView(database, build, plan)]));
    this.#groups = new Groups(database, build);
  }

  /** Writes all rows or none, in one transaction. */
  put(rows: readonly Row[]): void {
    this.#inTransaction(() => {
      for (const row of rows) this.#writeOne(row);
    });
  }

  /** Removes at most `limit` documents in one transaction; returns how many were removed. */
  remove(view: string, range: ViewRange, limit: number): number {
    return this.#inTransaction(() => this.#removeSome(this.#viewOf(view), range, limit));
  }

  #inTransaction<Result>(work: () => Result): Result {
    try {
      return this.#database.transaction(() => {
        const result = work();
        this.#groups.save();
        return result;
      })();
    } catch (error) {
      this.#groups.discardChanges();
      throw error;
    }
  }

  #removeSome({ plan }: ViewStatements, range: ViewRange, limit: number): number {
    const { table, conditions, values } = rangeOf(this.#build, this.#plans, plan.name, range);
    const columns = indexedColumnsOf(plan);
    const found = this.#database
      .prepare(`SELECT ${['id', ...columns].join(', ')} FROM ${table} WHERE ${conditions} AND version < ? LIMIT ?`)
      .raw()
      .all(...values, range.belowVersion, limit) as [id: string, ...indexed: Indexed][];
    const clearColumns = ['value', ...columns].map((column) => `${column} = NULL`).join(', ');
    const removeSql = range.leaves === 'tombstones' ? `UPDATE ${table} SET ${clearColumns}` : `DELETE FROM ${table}`;
    const remove = this.#database.prepare(`${removeSql} WHERE id = ?`);
    for (const [id, ...indexed] of found) {
      remove.run(id);
      this.#decrementCounts(plan, indexed);
    }
    return found.length;
  }

  #viewOf(name: string): ViewStatements {
    const view = this.#views.get(name);
    if (view === undefined) throw new Error(`No view ${name}`);
    return view;
  }

  /** Most documents are new and never change: those are written without reading the stored one. */
  #writeOne(row: Row): void {
    const view = this.#viewOf(row.view);
    const groups = row.text === null ? [] : this.#groupsOf(view, row.fields);
    const written = [row.version, ...storedOf(view, row, groups), row.id];
    if (!row.isNew || view.insert.run(...written).changes === 0) {
      const stored = view.read.get(row.id) as StoredState | undefined;
      if (stored !== undefined && stored[0] >= row.version) return;
      (stored === undefined ? view.insert : view.update).run(...written);
      if (stored?.[1] === 1) this.#decrementCounts(view.plan, stored.slice(2));
    }
    for (const group of groups) this.#groups.add(group, 1);
  }

  /** Returns the document's group in each index. */
  #groupsOf({ plan, matchedAt }: ViewStatements, fields: Row['fields']): readonly number[] {
    return plan.indexes.map((index, i) => {
      const matched = matchedAt[i]?.map((at) => fields[at]);
      return this.#groups.numberOf(groupOf(plan.name, index, matched ?? []));
    });
  }

  #decrementCounts(plan: ViewPlan, indexed: Indexed): void {
    let column = 0;
    for (const index of plan.indexes) {
      const isGrouped = index.matched.length > 0;
      const group = isGrouped ? indexed[column++] : this.#groups.numberOf(groupOf(plan.name, index, []));
      this.#groups.add(Number(group), -1);
    }
  }
}

/** Returns the value and the indexed columns. */
function storedOf({ plan, values, sortsAt }: ViewStatements, row: Row, groups: readonly number[]): readonly unknown[] {
  if (row.text === null) return [null, ...indexedColumnsOf(plan).map(() => null)];
  const numbers = groups.filter((_, i) => (plan.indexes[i]?.matched.length ?? 0) > 0);
  return [values.store(row.id, row.text), ...numbers, ...sortsAt.map((at) => toStoredNumber(row.fields[at]))];
}

/** Passes an integer as a bigint: otherwise SQLite stores it in eight bytes, where three or six are enough. */
const toStoredNumber = (value: IndexedValue | undefined): IndexedValue | bigint | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
