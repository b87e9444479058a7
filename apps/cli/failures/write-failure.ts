// The error when stdout cannot be written, such as to a full disk: otherwise a cut file would seem complete.
import { toErrorJson } from './explain.ts';
import { exitCodes, Failure } from './failure.ts';

export interface WriteFailure {
  /** For stderr; empty: nothing is wrong. */
  readonly text: string;
  readonly exitCode: number;
}

/** A closed pipe is no error: its reader can stop before the end, as in `pd events x | head -1`. */
export function explainWriteError({ code, message }: NodeJS.ErrnoException, isJson: boolean): WriteFailure {
  if (code === 'EPIPE') return { text: '', exitCode: exitCodes.done };
  const failure = new Failure(`The output could not be written: ${message}`, exitCodes.failed, hint);
  const text = isJson ? JSON.stringify(toErrorJson(failure)) : `error: ${failure.message}\n${hint}`;
  return { text: `${text}\n`, exitCode: failure.exitCode };
}

const hint = 'What it was asked for may have been done all the same: look before you repeat it.';
