// The tables of a build: one for each view, with a column for each indexed field, and one table of document counts.
import type Database from 'better-sqlite3';
import type { IndexPlan, ViewPlan } from '../catalog.ts';
import type { ViewDefinition } from '../view-store.ts';

export const tableOf = (build: string, view: string): string => `"${build}/${view}"`;
export const countsOf = (build: string): string => `"${build}/counts"`;
export const columnOf = (field: string): string => `"f_${field}"`;

/** The group of an index that a document belongs to, as `counts` names it. */
export const groupOf = (view: string, index: IndexPlan, matched: readonly unknown[]): string =>
  JSON.stringify([view, index.name, ...matched]);

/** Indexed columns come before the value, so that reading them never has to skip a large value. */
function createView(build: string, view: ViewPlan): string {
  const table = tableOf(build, view.name);
  const columns = view.fields.map((field) => `${columnOf(field)},`).join(' ');
  const indexes = view.indexes.map(({ name, matched, sort }) => {
    const fields = [...matched, sort].map(columnOf);
    // Ties are broken by id, so indexes for pages contain it. An index of all documents is for ranges, and kept small.
    if (matched.length > 0) fields.push('id');
    return `CREATE INDEX "${build}/${view.name}/${name}" ON ${table} (${fields.join(', ')});`;
  });
  return `CREATE TABLE ${table} (id TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL, ${columns} value TEXT);
    ${indexes.join('\n')}`;
}

/** Adds an empty build and returns its name. Call in a transaction. */
export function createBuild(
  database: Database.Database,
  plans: Iterable<ViewPlan>,
  definitions: readonly ViewDefinition[],
): string {
  const { lastInsertRowid } = database
    .prepare(`INSERT INTO builds (live, definitions, checkpoint) VALUES (0, ?, '{}')`)
    .run(JSON.stringify(definitions));
  const build = `${lastInsertRowid}`;
  for (const plan of plans) database.exec(createView(build, plan));
  database.exec(
    `CREATE TABLE ${countsOf(build)} (name TEXT PRIMARY KEY NOT NULL, documents INTEGER NOT NULL) WITHOUT ROWID`,
  );
  return build;
}

/** Makes a build the live one. */
export function markLive(database: Database.Database, build: string): void {
  database.prepare('UPDATE builds SET live = (name = ?)').run(Number(build));
}

/** Removes a build with its tables. Call in a transaction. */
export function dropBuild(database: Database.Database, build: string): void {
  const tables = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, ?) = ?`)
    .pluck()
    .all(build.length + 1, `${build}/`) as string[];
  for (const table of tables) database.exec(`DROP TABLE "${table}"`);
  database.prepare('DELETE FROM builds WHERE name = ?').run(Number(build));
}

export interface BuildRow {
  readonly name: string;
  readonly live: boolean;
  readonly definitions: string;
  /** JSON text of the positions. */
  readonly checkpoint: string;
}

export function listBuilds(database: Database.Database): BuildRow[] {
  const rows = database.prepare('SELECT name, live, definitions, checkpoint FROM builds').all() as {
    name: number;
    live: number;
    definitions: string;
    checkpoint: string;
  }[];
  return rows.map((row) => ({ ...row, name: `${row.name}`, live: row.live === 1 }));
}
