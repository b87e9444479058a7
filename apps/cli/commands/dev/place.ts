// Where in the files of a component the service found a mistake.
import { basename } from 'node:path';
import { isApiError } from '../../failures/explain.ts';
import type { Code } from '../../props/code.ts';

/** Of a refused deploy (docs/api.md, "Answers"). */
interface Details {
  readonly message?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number | undefined;
  /** The file as the service names it, where it does. */
  readonly named: string | undefined;
}

/** `path`: of the file that was named. Undefined: it is said of none. */
export function placeOf(error: unknown, code: Code, path: string): Place | undefined {
  if (!isApiError(error)) return undefined;
  const { message = '', line, column } = (error.details ?? {}) as Details;
  if (line === undefined) return undefined;
  const { files = {}, entry } = code;
  // What cannot be read is named at the start of the component's error, what threw at the end of the answer.
  const isIn = (file: string): boolean =>
    message.startsWith(`${file}: `) || error.message.includes(` (${file}, line ${line}`);
  const named = Object.keys(files).find(isIn);
  return { file: named === undefined || named === entry ? basename(path) : named, line, column, named };
}
