// Translates SQLite's errors into the port's.
import { PortError } from '../../domain/port-error.ts';
import { noteDamage } from './damage.ts';

/** Trouble with the disk or a lock: nothing was written, and a retry might help. */
const transientCodes = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|NOMEM|PROTOCOL|PERM)/;
const damageCodes = /^SQLITE_(CORRUPT|NOTADB)/;

/** The advice for another program's file: the views are derived from the log, so nothing is lost without it. */
export const moveAwayAdvice = 'Move it away and start again: the views are filled again from the log.';
/** The advice for a damaged file, which was noted as damaged. */
const restartAdvice = 'Start the service again: it removes the file, and fills the views again from the log.';

/**
 * Recognizes errors by their fields, not their class: each thread, and each context of a thread, has its own classes.
 */
function errorFieldsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', message: '' };
  return {
    code: 'code' in error ? String(error.code) : '',
    message: 'message' in error ? String(error.message) : '',
  };
}

/** Returns SQLite's errors in `file` as PortErrors, and any other error, such as a broken invariant, unchanged. */
export function fromSqlite(error: unknown, file: string): unknown {
  const { code, message } = errorFieldsOf(error);
  if (damageCodes.test(code))
    return new PortError('corrupt', `The views file ${file} is damaged (${message}). ${restartAdvice}`, error);
  if (transientCodes.test(code))
    return new PortError('unavailable', `The views file ${file} cannot be used now (${message})`, error);
  return error;
}

/** The same for a file in use: notes damage for the next start. */
export function fromSqliteInUse(error: unknown, file: string): unknown {
  const translated = fromSqlite(error, file);
  if (translated instanceof PortError && translated.code === 'corrupt') noteDamage(file);
  return translated;
}

/** The error for a stored document that the product cannot have written. */
export const unreadableError = (view: string, id: string): Error =>
  Object.assign(new Error(`document ${id} of view ${view} cannot be read`), { code: 'SQLITE_CORRUPT' });

/** Runs a step on SQLite and translates its errors. */
export function onSqlite<Result>(file: string, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    throw fromSqliteInUse(error, file);
  }
}

export const isBusy = (error: unknown): boolean => errorFieldsOf(error).code.startsWith('SQLITE_BUSY');
