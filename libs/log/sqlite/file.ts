// Prepares the log's file: one process at a time, created whole or not at all, other programs' files left untouched.
import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { PortError } from '../../domain/port-error.ts';
import { applicationId, createSchema, schemaVersion } from './schema.ts';
import { sqliteCodeOf, portErrorOf } from './sqlite-errors.ts';

/** Only the file's owner may read it, since it holds the data of users' components and webhooks. */
export const fileMode = 0o600;
/** The size of a SQLite file's header: magic, versions, sizes. */
const headerBytes = 100;

/**
 * Locks the file for this process until the returned function is called or the process ends, even by a kill: the lock
 * belongs to the operating system. Throws PortError `in_use`.
 */
export function lockFile(file: string): () => void {
  const lockName = `${file}.lock`;
  closeSync(openSync(lockName, 'a', fileMode));
  const lock = openLock(lockName);
  try {
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (sqliteCodeOf(error).startsWith('SQLITE_BUSY'))
      throw new PortError(
        'in_use',
        `the log ${file} is in use by another process: end it, or use another data directory`,
      );
    throw portErrorOf(error, lockName);
  }
  return () => lock.close();
}

function openLock(lockName: string): Database.Database {
  try {
    return new Database(lockName, { timeout: 0 });
  } catch (error) {
    throw portErrorOf(error, lockName);
  }
}

/** Creates the file, or throws if an existing file is not our log. Call under the lock. */
export function prepareFile(file: string, partitions: number): void {
  if (existsSync(file)) return checkHeader(file);
  if (existsSync(`${file}-wal`))
    throw new PortError(
      'corrupt',
      `${file}-wal is there, but the log ${file} that it belongs to is not: put both back, or move it away to start with an empty log`,
    );
  createFile(file, partitions);
}

/** Creates the file under another name and renames it, so that a crash leaves no half-made log. */
function createFile(file: string, partitions: number): void {
  const unfinished = `${file}.new`;
  for (const leftover of [unfinished, `${unfinished}-journal`]) rmSync(leftover, { force: true });
  closeSync(openSync(unfinished, 'wx', fileMode));
  const db = new Database(unfinished);
  try {
    db.pragma('synchronous = FULL');
    createSchema(db, partitions);
    db.pragma('journal_mode = WAL');
  } catch (error) {
    throw portErrorOf(error, file);
  } finally {
    db.close();
  }
  syncToDisk(unfinished);
  renameSync(unfinished, file);
  syncToDisk(dirname(file));
}

export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

export function checkHeader(file: string): void {
  const header = readHeader(file);
  const advice = 'it was left as it is: move it away, or use another data directory';
  if (header.length < headerBytes || header.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw new PortError(
      'corrupt',
      `${file} is not a log, or damaged (its first ${headerBytes} bytes are not a log's); ${advice}`,
    );
  const id = header.readUInt32BE(68);
  if (id !== applicationId)
    throw new PortError('corrupt', `${file} is a SQLite file of another program (application_id ${id}); ${advice}`);
  const version = header.readUInt32BE(60);
  if (version < 1 || version > schemaVersion)
    throw new PortError(
      'mismatch',
      `the log ${file} has version ${version}, this program reads up to version ${schemaVersion}: use the program that made it`,
    );
}

function readHeader(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const header = Buffer.alloc(headerBytes);
    return header.subarray(0, readSync(descriptor, header, 0, headerBytes, 0));
  } catch (error) {
    // Node's error does not name the file, for example when there is a directory in its place.
    throw Object.assign(error as NodeJS.ErrnoException, { path: file });
  } finally {
    closeSync(descriptor);
  }
}
