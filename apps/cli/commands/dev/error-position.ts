// Finds the place of an error in the files of a component, from the service's answer.
import { basename } from 'node:path';
import { isApiError } from '../../failures/explain.ts';
import type { Code } from '../../props/code.ts';

/** The error details of a refused deploy (docs/api.md, "Answers"). */
interface Details {
  readonly message?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface ErrorPosition {
  readonly file: string;
  readonly line: number;
  readonly column: number | undefined;
  /** The file in the service's message; undefined: it names none. */
  readonly reportedFile: string | undefined;
}

/** `path`: the file that the user named. Undefined: the error has no place. */
export function errorPositionOf(error: unknown, code: Code, path: string): ErrorPosition | undefined {
  if (!isApiError(error)) return undefined;
  const { message = '', line, column } = (error.details ?? {}) as Details;
  if (line === undefined) return undefined;
  const { files = {}, entry } = code;
  // A file that cannot be parsed is named at the start of the details; one that threw, at the end of the message.
  const isNamed = (file: string): boolean =>
    message.startsWith(`${file}: `) || error.message.includes(` (${file}, line ${line}`);
  const reportedFile = Object.keys(files).find(isNamed);
  return {
    file: reportedFile === undefined || reportedFile === entry ? basename(path) : reportedFile,
    line,
    column,
    reportedFile,
  };
}
