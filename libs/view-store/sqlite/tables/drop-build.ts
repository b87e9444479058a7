// Removes a build in steps. Emptying a table a few rows at a time costs more than dropping it whole, which visits every
// page of it and of its indexes and lets nobody write meanwhile: for tens of seconds with some gigabytes.
import type Database from 'better-sqlite3';

/** Between two looks at the clock: a document may have 1 MiB. */
const rowsAtOnce = 20;

interface Table {
  readonly name: string;
  /** Of an earlier layout. */
  readonly isWithoutRowid: number;
}

/**
 * One step, for as long as `goesOn` says, and some rows at least. Returns whether something is left. What is left stands
 * in the file itself, so a step after a restart goes on where the last one ended. Call in a transaction.
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
  // Last: it says that there is something to drop.
  database.prepare('DELETE FROM builds WHERE name = ?').run(Number(build));
  return false;
}

/** In the order in which documents were added, which is nearly that of their indexes: few pages are touched. */
function emptied(database: Database.Database, { name, isWithoutRowid }: Table, goesOn: () => boolean): boolean {
  // The only such table of a build counts its groups.
  if (isWithoutRowid === 1) return true;
  const some = database.prepare(
    `DELETE FROM "${name}" WHERE rowid IN (SELECT rowid FROM "${name}" ORDER BY rowid LIMIT ${rowsAtOnce})`,
  );
  for (;;) {
    if (some.run().changes < rowsAtOnce) return true;
    if (!goesOn()) return false;
  }
}
