// Removes a build in steps. Emptying a table a few rows at a time costs more than dropping it at once, which reads
// every page of it and of its indexes, but that blocks all writes: for tens of seconds with some gigabytes.
import type Database from 'better-sqlite3';

/** Rows between two checks of the clock: a document can have 1 MiB. */
const rowsPerCheck = 20;

interface Table {
  readonly name: string;
  /** Whether it is a table of an earlier layout without row ids. */
  readonly isWithoutRowid: number;
}

/**
 * Runs one step while `shouldContinue`, with at least some rows. Returns whether something is left. The progress is
 * in the file itself, so a step after a restart continues where the last one ended. Call in a transaction.
 */
export function dropPartially(database: Database.Database, build: string, shouldContinue: () => boolean): boolean {
  const tables = database
    .prepare(
      `SELECT name, wr AS isWithoutRowid FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND substr(name, 1, ?) = ?`,
    )
    .all(build.length + 1, `${build}/`) as Table[];
  for (const table of tables) {
    if (!tryEmptyTable(database, table, shouldContinue)) return true;
    database.exec(`DROP TABLE "${table.name}"`);
  }
  // Removed last, since this row shows that there is something to drop.
  database.prepare('DELETE FROM builds WHERE name = ?').run(Number(build));
  return false;
}

/** Deletes in the order in which documents were added, nearly that of their indexes, so that few pages are written. */
function tryEmptyTable(
  database: Database.Database,
  { name, isWithoutRowid }: Table,
  shouldContinue: () => boolean,
): boolean {
  // The only such table of a build holds the counts of its groups.
  if (isWithoutRowid === 1) return true;
  const deleteRows = database.prepare(
    `DELETE FROM "${name}" WHERE rowid IN (SELECT rowid FROM "${name}" ORDER BY rowid LIMIT ${rowsPerCheck})`,
  );
  for (;;) {
    if (deleteRows.run().changes < rowsPerCheck) return true;
    if (!shouldContinue()) return false;
  }
}
