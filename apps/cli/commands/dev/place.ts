// Where in the files of a component the service found a mistake.
import { basename } from 'node:path';
import { isApiError } from '../../failures/explain.ts';
import type { Code } from '../../props/code.ts';

/** Of a refused deploy (docs/api.md, "Answers"). */
interface Details {
  readonly message?: string;
  readonly stack?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number | undefined;
}

/** `path`: of the file that was named. Undefined: it is said of none. */
export function placeOf(error: unknown, code: Code, path: string): Place | undefined {
  const details = ((isApiError(error) ? error.details : undefined) ?? {}) as Details;
  const { line, column } = details;
  if (line === undefined) return undefined;
  const { files = {}, entry } = code;
  const found = Object.keys(files)
    .toSorted((one, other) => other.length - one.length)
    .find((file) => isIn(file, details));
  return { file: found === undefined || found === entry ? basename(path) : found, line, column };
}

/** The message begins with the file that cannot be read, the stack with the frame that threw. */
const isIn = (file: string, { message = '', stack = '', line, column }: Details): boolean =>
  message.startsWith(`${file}: `) || stack.includes(`${file}:${line}:${column}`);
