// Creates the tables of a build: one for each view, with a column for each index and each sort field, and one for
// groups.
import type Database from 'better-sqlite3';
import type { IndexPlan, ViewPlan } from '../../catalog.ts';
import type { ViewDefinition } from '../../view-store.ts';

/**
 * Raised when tables or stored values change in a way that does not follow from the definitions. 2: small values are
 * stored by a template. 3: a number stands for the values that an index matches. Builds of earlier layouts are made
 * anew.
 */
export const layout = 3;

export const tableOf = (build: string, view: string): string => `"${build}/${view}"`;
export const groupsOf = (build: string): string => `"${build}/groups"`;
export const columnOf = (field: string): string => `"f_${field}"`;
/** Returns the column with the number of a document's group in the index. */
export const groupColumnOf = ({ name }: IndexPlan): string => `"g_${name}"`;

/** Returns the indexes whose groups have columns: an index of all documents has a single group. */
const groupedIndexesOf = ({ indexes }: ViewPlan): readonly IndexPlan[] =>
  indexes.filter(({ matched }) => matched.length > 0);

/** Returns the fields by which indexes sort, once each. */
export const sortsOf = ({ indexes }: ViewPlan): readonly string[] => [...new Set(indexes.map(({ sort }) => sort))];

/** Returns the columns that are null in a tombstone, in the order of the table: the groups, then the sort fields. */
export const indexedColumnsOf = (plan: ViewPlan): readonly string[] => [
  ...groupedIndexesOf(plan).map(groupColumnOf),
  ...sortsOf(plan).map(columnOf),
];

/** Returns the name, in `groups`, of a document's group in an index. */
export const groupOf = (view: string, index: IndexPlan, matched: readonly unknown[]): string =>
  JSON.stringify([view, index.name, ...matched]);

/** Returns the text that identifies a build's layout and definitions: only a build with the same text is read. */
export const buildSignatureOf = (definitions: readonly ViewDefinition[]): string =>
  JSON.stringify({ layout, definitions });

/** Indexed columns come before the value, so that reading them never has to skip a large value. */
function createView(build: string, view: ViewPlan): string {
  const table = tableOf(build, view.name);
  const columns = [
    'id TEXT PRIMARY KEY NOT NULL',
    'version INTEGER NOT NULL',
    // The column has the type of group numbers: otherwise SQLite would not search an index by them.
    ...groupedIndexesOf(view).map((index) => `${groupColumnOf(index)} INTEGER`),
    ...sortsOf(view).map(columnOf),
    'value TEXT',
  ];
  const indexes = view.indexes.map((index) => {
    const isGrouped = index.matched.length > 0;
    const fields = [...(isGrouped ? [groupColumnOf(index)] : []), columnOf(index.sort)];
    // Ties are broken by id, so indexes with ties contain it. An index of all documents is for ranges, and kept small.
    if (isGrouped && !index.isUnique) fields.push('id');
    return `CREATE INDEX "${build}/${view.name}/${index.name}" ON ${table} (${fields.join(', ')});`;
  });
  return [`CREATE TABLE ${table} (${columns.join(', ')});`, ...indexes].join('\n');
}

/** Adds an empty build and returns its name. Call in a transaction. */
export function createBuild(
  database: Database.Database,
  plans: Iterable<ViewPlan>,
  definitions: readonly ViewDefinition[],
): string {
  const { lastInsertRowid } = database
    .prepare(`INSERT INTO builds (live, definitions, checkpoint) VALUES (0, ?, '{}')`)
    .run(buildSignatureOf(definitions));
  const build = `${lastInsertRowid}`;
  for (const plan of plans) database.exec(createView(build, plan));
  database.exec(
    `CREATE TABLE ${groupsOf(build)} (number INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, documents INTEGER NOT NULL)`,
  );
  return build;
}

/** Makes a build the live one. */
export function markLive(database: Database.Database, build: string): void {
  database.prepare('UPDATE builds SET live = (name = ?)').run(Number(build));
}

export interface BuildRow {
  readonly name: string;
  readonly live: boolean;
  /** The result of `buildSignatureOf`. */
  readonly definitions: string;
  /** JSON text of the positions. */
  readonly checkpoint: string;
  /** JSON text of the held records. */
  readonly held: string;
}

/** Adds the column that files of earlier versions lack; those versions still read and write the file. */
export function addHeldColumn(database: Database.Database): void {
  const columns = database.pragma('table_info(builds)') as readonly { readonly name: string }[];
  if (columns.some(({ name }) => name === 'held')) return;
  database.exec("ALTER TABLE builds ADD COLUMN held TEXT NOT NULL DEFAULT '{}'");
}

export function listBuilds(database: Database.Database): BuildRow[] {
  const rows = database.prepare('SELECT name, live, definitions, checkpoint, held FROM builds').all() as {
    name: number;
    live: number;
    definitions: string;
    checkpoint: string;
    held: string;
  }[];
  return rows.map((row) => ({ ...row, name: `${row.name}`, live: row.live === 1 }));
}
