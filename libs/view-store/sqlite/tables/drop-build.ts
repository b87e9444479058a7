// Removes a build in steps. Emptying a table a few rows at a time costs more than dropping it whole, which visits every
// page of it and of its indexes and blocks writes: for tens of seconds with some gigabytes.
import type Database from 'better-sqlite3';

/** Rows between two checks of the clock: a document can have 1 MiB. */
const rowsAtOnce = 20;

interface Table {
  readonly name: string;
  /** 1 for a table of an earlier layout. */
  readonly isWithoutRowid: number;
}

/**
 * Runs one step, for as long as `goesOn` returns true, and removes some rows at least. Returns whether something is
 * left. The file itself holds what is left, so a step after a restart continues there. Call in a transaction.
 */
export function dropSome(database: Database.Database, build: string, goesOn: () => boolean): boolean {
  const tables = database
    .prepare(
      `SELECT name, wr AS isWithoutRowid FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND substr(name, 1, ?) = ?`,
    )
    .all(build.length + 1, `${build}/`) as Table[];
  for (const table of tables) {
    if (!emptied(database, table, goesOn)) return true;
    database.exec(`DROP TABLE "${table.name}"`);
  }
  // The entry is removed last, since it marks that there is something to drop.
  database.prepare('DELETE FROM builds WHERE name = ?').run(Number(build));
  return false;
}

/** Deletes rows in the order of their insertion, which is nearly that of their indexes: few pages are touched. */
function emptied(database: Database.Database, { name, isWithoutRowid }: Table, goesOn: () => boolean): boolean {
  // The only such table of a build counts its groups, and is dropped whole.
  if (isWithoutRowid === 1) return true;
  const some = database.prepare(
    `DELETE FROM "${name}" WHERE rowid IN (SELECT rowid FROM "${name}" ORDER BY rowid LIMIT ${rowsAtOnce})`,
  );
  for (;;) {
    if (some.run().changes < rowsAtOnce) return true;
    if (!goesOn()) return false;
  }
}
