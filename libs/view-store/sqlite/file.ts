// Opens the views' file: locked by one process, created completely or not at all, and rejected if it is another
// program's.
import Database from 'better-sqlite3';
import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PortError } from '../../domain/port-error.ts';
import { removeDamaged } from './damage.ts';
import { layout } from './tables/schema.ts';
import { isBusy, onSqlite, moveAwayAdvice } from './sqlite-errors.ts';

/** "WSPV" in the header distinguishes the file from any other SQLite file. */
const applicationId = 0x57535056;
const header = { bytes: 100, magic: 'SQLite format 3\0', layoutAt: 60, applicationAt: 68 };

/** Only the user who runs the product may read the events of its sources. */
const fileMode = 0o600;

function checkHeader(file: string): void {
  const bytes = Buffer.alloc(header.bytes);
  const descriptor = openSync(file, 'r');
  let read: number;
  try {
    read = readSync(descriptor, bytes, 0, header.bytes, 0);
  } finally {
    closeSync(descriptor);
  }
  if (read < header.bytes || bytes.toString('latin1', 0, header.magic.length) !== header.magic) {
    throw new PortError('corrupt', `The views file ${file} is no SQLite database. ${moveAwayAdvice}`);
  }
  const application = bytes.readUInt32BE(header.applicationAt);
  if (application !== applicationId) {
    const found = application.toString(16);
    throw new PortError(
      'corrupt',
      `${file} is a database of another program (application id ${found}). ${moveAwayAdvice}`,
    );
  }
  const found = bytes.readUInt32BE(header.layoutAt);
  if (found < 1 || found > layout) {
    throw new PortError(
      'mismatch',
      `The views file ${file} has layout ${found}, this version reads up to ${layout}. ${moveAwayAdvice}`,
    );
  }
}

/** Creates the file under another name and renames it, so that no crash leaves half a file. Deletes leftovers first. */
function createFile(file: string): void {
  const draft = `${file}.new`;
  for (const leftOver of [draft, `${draft}-journal`, `${file}-wal`, `${file}-shm`]) rmSync(leftOver, { force: true });
  closeSync(openSync(draft, 'w', fileMode));
  const database = new Database(draft);
  try {
    database.exec(`
      PRAGMA application_id = ${applicationId};
      PRAGMA user_version = ${layout};
      CREATE TABLE builds (
        name INTEGER PRIMARY KEY AUTOINCREMENT,
        live INTEGER NOT NULL,
        definitions TEXT NOT NULL,
        checkpoint TEXT NOT NULL
      ) STRICT;
      PRAGMA journal_mode = WAL;
    `);
  } finally {
    database.close();
  }
  renameSync(draft, file);
}

/** Locks the file for the life of the process; the system releases the lock when the process ends. */
function acquireLock(file: string): Database.Database {
  const path = `${file}.lock`;
  closeSync(openSync(path, 'a', fileMode));
  const lockDatabase = new Database(path, { timeout: 0 });
  try {
    lockDatabase.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lockDatabase.close();
    if (!isBusy(error)) throw error;
    throw new PortError('in_use', `Another process uses the views file ${file}. Stop it first.`, error);
  }
  return lockDatabase;
}

/** The cache of each connection, instead of 16 MB: mostly recent pages are used, and the system also caches pages. */
const cacheKiBMax = 4 * 1024;

/** Opens a connection with the settings of both threads: WAL, synced at its checkpoints only (see SqliteViewStore). */
export function connect(file: string, timeoutMs: number): Database.Database {
  const database = new Database(file, { timeout: timeoutMs, fileMustExist: true });
  database.pragma('synchronous = NORMAL');
  database.pragma(`cache_size = -${cacheKiBMax}`);
  return database;
}

/**
 * Makes earlier programs reject the file: they cannot read what this one stores. They read the header of the
 * file itself, so the layout must not stay in the WAL. A crash might have left it there: hence at every start,
 * when there is a WAL only after a crash. The header is not read here: closing the file would end SQLite's locks on it.
 */
export function claimLayout(database: Database.Database): void {
  if (database.pragma('user_version', { simple: true }) !== layout) database.pragma(`user_version = ${layout}`);
  database.pragma('wal_checkpoint(TRUNCATE)');
}

/**
 * Locks `file`, checks that it is a views' file, and creates it if absent. Removes it first if it was found damaged.
 */
export function lockAndPrepareFile(file: string, onRemoved: (message: string) => void): Database.Database {
  mkdirSync(dirname(file), { recursive: true });
  const lockDatabase = onSqlite(file, () => acquireLock(file));
  try {
    if (removeDamaged(file))
      onRemoved(`The views file ${file} was damaged: it was removed, and the views are filled again from the log.`);
    if (!existsSync(file) || statSync(file).size === 0) onSqlite(file, () => createFile(file));
    else checkHeader(file);
    return lockDatabase;
  } catch (error) {
    lockDatabase.close();
    throw error;
  }
}
