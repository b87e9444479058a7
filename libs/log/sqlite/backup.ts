// Copies a log while a service appends to it: the copy is a snapshot of the log, however long copying takes.
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { PortError } from '../../domain/port-error.ts';
import { checkHeader, fileMode, lockFile, sync } from './file.ts';
import { sqliteCodeOf, troubleOf, why } from './sqlite-errors.ts';

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
  checkHeader(file);
  if (!existsSync(dirname(copy)))
    throw new PortError('unavailable', `there is no folder ${dirname(copy)}: make it, or name a file in another one`);
  const unfinished = `${copy}.part`;
  const end = soleWriter(copy, unfinished);
  try {
    if (existsSync(copy)) throw new PortError('unavailable', `${copy} exists already: name a file that does not`);
    write(file, copy, unfinished);
  } finally {
    end();
  }
  return statSync(copy).size;
}

/** Locks the unfinished copy: two backups of the same name would each mistake the other's file for their own. */
function soleWriter(copy: string, unfinished: string): () => void {
  try {
    const unlock = lockFile(unfinished);
    return () => {
      rmSync(`${unfinished}.lock`, { force: true });
      unlock();
    };
  } catch (error) {
    if (!(error instanceof PortError && error.code === 'in_use')) throw error;
    throw new PortError('in_use', `another backup is writing ${copy}: wait for it, or name another file`, error);
  }
}

function write(file: string, copy: string, unfinished: string): void {
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
}

/** Copies one snapshot of the file, without its free pages. */
function vacuumInto(file: string, copy: string): void {
  const db = new Database(file, { readonly: true });
  try {
    db.prepare('VACUUM INTO ?').run(copy);
  } catch (error) {
    throw unwritten.has(sqliteCodeOf(error)) ? notWritten(copy, error) : troubleOf(error, file);
  } finally {
    db.close();
  }
}

/** Errors of the copy, since the log is only read: the copy's disk is full, or fails. */
const unwritten: ReadonlySet<string> = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE']);

const notWritten = (unfinished: string, cause: unknown): PortError =>
  new PortError(
    'unavailable',
    `the copy cannot be written (${why(cause)}): make room in ${dirname(unfinished)}, or name a file on another disk`,
    cause,
  );
