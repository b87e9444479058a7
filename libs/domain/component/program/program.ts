// A program: the source text of a component, in one file or several with one entry file.
import { createHash } from 'node:crypto';

/** Fixes the versions of the packages that a program is built with. */
export interface Locked {
  /** The lock file, in the builder's format; absent: imports are resolved when the program is built. */
  readonly lock?: string;
}

/** The parts of a program besides the text of its entry file. */
export interface OtherFiles extends Locked {
  /** The path of the entry file; absent: it has no name. */
  readonly entry?: string;
  /** The texts of the other files by path; absent: there are none. */
  readonly files?: { readonly [path: string]: string };
}

export interface Program extends OtherFiles {
  /** The entry file's text. */
  readonly code: string;
}

/** The most files of one program: ten times as many as large components have. */
export const filesMax = 200;
/** The longest path of a file. */
export const pathCharsMax = 200;

/** Picks the program's fields from an object that can have more. */
export const programOf = ({ code, ...others }: Program): Program => ({ code, ...otherFilesOf(others) });

const otherFilesOf = ({ entry, files, lock }: OtherFiles): OtherFiles => ({
  ...(entry === undefined ? {} : { entry }),
  ...(files === undefined ? {} : { files }),
  ...(lock === undefined ? {} : { lock }),
});

/** Hex SHA-256 of the code, or of the code with the paths and texts of all files; the lock does not count. */
export function codeHashOf({ code, entry, files }: Program): string {
  if (entry === undefined && files === undefined) return hashOf(code);
  const others = Object.entries(files ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hashOf(JSON.stringify([entry ?? null, code, others]));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The size in bytes of what the author wrote, including paths. */
export function programBytes({ code, entry = '', files = {} }: Program): number {
  const texts = [code, entry, ...Object.entries(files).flat()];
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}
