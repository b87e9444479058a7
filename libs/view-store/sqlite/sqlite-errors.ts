// SQLite's errors as the port names them.
import { PortError } from '../../domain/port-error.ts';

/** Trouble of the disk or of a lock: nothing was written, and another try may help. */
const passing = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|NOMEM|PROTOCOL|PERM)/;
const damage = /^SQLITE_(CORRUPT|NOTADB)/;

/** What to do about a file that cannot be used: the views are derived, so nothing is lost with it. */
export const startAnew = 'Move it away and start again: the views are filled anew from the log.';

/** By its parts and not by its class: each thread, and each context of a thread, has classes of its own. */
function partsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', message: '' };
  return {
    code: 'code' in error ? String(error.code) : '',
    message: 'message' in error ? String(error.message) : '',
  };
}

/** A PortError for what SQLite met in `file`; any other error as it is, a broken invariant included. */
export function fromSqlite(error: unknown, file: string): unknown {
  const { code, message } = partsOf(error);
  if (damage.test(code))
    return new PortError('corrupt', `The views file ${file} is damaged (${message}). ${startAnew}`, error);
  if (passing.test(code))
    return new PortError('unavailable', `The views file ${file} cannot be used now (${message})`, error);
  return error;
}

/** Runs a step on SQLite with its errors translated. */
export function onSqlite<Result>(file: string, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    throw fromSqlite(error, file);
  }
}

export const isBusy = (error: unknown): boolean => partsOf(error).code.startsWith('SQLITE_BUSY');
