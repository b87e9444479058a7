// A component's text: one file, or several of which one is the component.
import { createHash } from 'node:crypto';

/** What a program of several files has beside the text of its entry file. */
export interface OtherFiles {
  /** The path of the entry file; absent: it has no name. */
  readonly entry?: string;
  /** The texts of the other files by path; absent: there are none. */
  readonly files?: { readonly [path: string]: string };
}

export interface Program extends OtherFiles {
  /** The entry file's text. */
  readonly code: string;
}

/** Files of one program: ten times those of large components. */
export const filesMax = 200;
/** Length of one file's path. */
export const pathCharsMax = 200;

/** Nothing but the program's fields of a record. */
export const programOf = ({ code, ...others }: Program): Program => ({ code, ...otherFilesOf(others) });

export const otherFilesOf = ({ entry, files }: OtherFiles): OtherFiles => ({
  ...(entry === undefined ? {} : { entry }),
  ...(files === undefined ? {} : { files }),
});

/** Hex SHA-256 of the code, or of the code with the paths and texts of all files. */
export function codeHashOf({ code, entry, files }: Program): string {
  if (entry === undefined && files === undefined) return hashOf(code);
  const others = Object.entries(files ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hashOf(JSON.stringify([entry ?? null, code, others]));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** In bytes, paths included. */
export function programBytes({ code, entry = '', files = {} }: Program): number {
  const texts = [code, entry, ...Object.entries(files).flat()];
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}
