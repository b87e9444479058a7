// Turns SQLite's errors into port errors that say what was found, whether anything was written, and what to do.
import { PortError } from '../../domain/port-error.ts';

/** For errors of anything but a commit: nothing was written. Returns an error that is not SQLite's unchanged. */
export function portErrorOf(error: unknown, file: string): unknown {
  const code = sqliteCodeOf(error);
  if (isDamage(code)) return damagedError(file, error);
  if (isTransient(code))
    return new PortError(
      'unavailable',
      `the log ${file} cannot be used now, nothing was written: ${describeError(error)}`,
      error,
    );
  return error;
}

/** For errors of a commit. If its last frame might be in the file unsynced, only the next commit settles that. */
export function commitErrorOf(error: unknown, file: string): unknown {
  const code = sqliteCodeOf(error);
  if (code === '' || isDamage(code) || code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_WRITE')
    return portErrorOf(error, file);
  return new PortError(
    'unknown_outcome',
    `whether the log ${file} has it is not known: ${describeError(error)}`,
    error,
  );
}

/** 'SQLITE_...', or '' for other errors. By code: threads and module registries have their own SqliteError classes. */
export function sqliteCodeOf(error: unknown): string {
  const code = isObject(error) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : '';
}

export function damagedError(file: string, cause: unknown): PortError {
  return new PortError(
    'corrupt',
    `the log ${file} is damaged (${describeError(cause)}): stop, keep a copy of it with its -wal file, and start from a backup (docs/operations.md)`,
    cause,
  );
}

const isDamage = (code: string): boolean => code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';

function isTransient(code: string): boolean {
  const codes = ['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_BUSY', 'SQLITE_NOMEM', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'];
  return codes.some((prefix) => code.startsWith(prefix));
}

/** Returns SQLite's code and message, for people. */
export function describeError(error: unknown): string {
  const message = isObject(error) && 'message' in error ? String(error.message) : String(error);
  const code = sqliteCodeOf(error);
  return code === '' ? message : `${code}, ${message}`;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
