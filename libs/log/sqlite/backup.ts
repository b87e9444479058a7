// Copies a log while a service appends to it: the copy is a snapshot of the log, however long copying takes.
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { PortError } from '../../domain/port-error.ts';
import { checkHeader, fileMode, lockFile, syncToDisk } from './file.ts';
import { sqliteCodeOf, portErrorOf, describeError } from './sqlite-errors.ts';

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
  const unlock = lockCopy(copy, unfinished);
  try {
    if (existsSync(copy)) throw new PortError('unavailable', `${copy} exists already: name a file that does not`);
    writeCopy(file, copy, unfinished);
  } finally {
    unlock();
  }
  return statSync(copy).size;
}

/** Locks the unfinished copy: two backups of the same name would each mistake the other's file for their own. */
function lockCopy(copy: string, unfinished: string): () => void {
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

function writeCopy(file: string, copy: string, unfinished: string): void {
  try {
    rmSync(unfinished, { force: true });
    closeSync(openSync(unfinished, 'wx', fileMode));
    vacuumInto(file, unfinished);
    syncToDisk(unfinished);
    renameSync(unfinished, copy);
    syncToDisk(dirname(copy));
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
    throw copyFailureCodes.has(sqliteCodeOf(error)) ? copyFailureError(copy, error) : portErrorOf(error, file);
  } finally {
    db.close();
  }
}

/** Errors of the copy, since the log is only read: the copy's disk is full, or fails. */
const copyFailureCodes: ReadonlySet<string> = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE']);

const copyFailureError = (unfinished: string, cause: unknown): PortError =>
  new PortError(
    'unavailable',
    `the copy cannot be written (${describeError(cause)}): make room in ${dirname(unfinished)}, or name a file on another disk`,
    cause,
  );
