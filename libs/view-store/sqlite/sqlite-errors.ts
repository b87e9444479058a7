// SQLite's errors as the port names them.
import { PortError } from '../../domain/port-error.ts';

/** Trouble with the disk or a lock: nothing was written, and a retry may help. */
const passing = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|NOMEM|PROTOCOL|PERM)/;
const damage = /^SQLITE_(CORRUPT|NOTADB)/;

/** What to do about an unusable file: the views are derived from the log, so nothing is lost with it. */
export const startAnew = 'Move it away and start again: the views are filled again from the log.';

/** By the error's fields, not its class: each thread, and each context of a thread, has its own classes. */
function partsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', message: '' };
  return {
    code: 'code' in error ? String(error.code) : '',
    message: 'message' in error ? String(error.message) : '',
  };
}

/** SQLite's errors in `file` as PortErrors; returns any other error, such as a broken invariant, unchanged. */
export function fromSqlite(error: unknown, file: string): unknown {
  const { code, message } = partsOf(error);
  if (damage.test(code))
    return new PortError('corrupt', `The views file ${file} is damaged (${message}). ${startAnew}`, error);
  if (passing.test(code))
    return new PortError('unavailable', `The views file ${file} cannot be used now (${message})`, error);
  return error;
}

/** Runs a step on SQLite and translates its errors. */
export function onSqlite<Result>(file: string, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    throw fromSqlite(error, file);
  }
}

export const isBusy = (error: unknown): boolean => partsOf(error).code.startsWith('SQLITE_BUSY');
