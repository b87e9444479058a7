// Copies a log while a service appends to it: the copy is the log at one moment, however long copying takes.
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { PortError } from '../../domain/port-error.ts';
import { checkHeader, fileMode, sync } from './file.ts';
import { troubleOf } from './sqlite-errors.ts';

/**
 * `copy` must not exist, and appears only once it is complete and on the disk. Blocks the thread, and needs as much free
 * space as the log uses. Meanwhile the service cannot reuse its -wal file, which grows by what is appended.
 *
 * @returns the size of the copy, in bytes
 * @throws PortError that says what to do; the log is untouched
 */
export function backUp(file: string, copy: string): number {
  if (!existsSync(file))
    throw new PortError('unavailable', `there is no log ${file}: set DATA_DIR to the data directory of the service`);
  if (existsSync(copy)) throw new PortError('unavailable', `${copy} exists already: name a file that does not`);
  checkHeader(file);
  const unfinished = `${copy}.part`;
  try {
    rmSync(unfinished, { force: true });
    closeSync(openSync(unfinished, 'wx', fileMode));
    vacuumInto(file, unfinished);
    sync(unfinished);
    renameSync(unfinished, copy);
    sync(dirname(copy));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  return statSync(copy).size;
}

/** SQLite reads one snapshot and writes no free pages. */
function vacuumInto(file: string, copy: string): void {
  const db = new Database(file, { readonly: true });
  try {
    db.prepare('VACUUM INTO ?').run(copy);
  } catch (error) {
    throw troubleOf(error, file);
  } finally {
    db.close();
  }
}
