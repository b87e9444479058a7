// A component's text: one file, or several of which one is the component.
import { createHash } from 'node:crypto';

/** Which versions of packages a program is built with. */
export interface Locked {
  /** The builder's own text; absent: what the program imports is resolved when it is built. */
  readonly lock?: string;
}

/** What a program has beside the text of its entry file. */
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

/** Files of one program: ten times those of large components. */
export const filesMax = 200;
/** Length of one file's path. */
export const pathCharsMax = 200;

/** Nothing but the program's fields of a record. */
export const programOf = ({ code, ...others }: Program): Program => ({ code, ...otherFilesOf(others) });

const otherFilesOf = ({ entry, files, lock }: OtherFiles): OtherFiles => ({
  ...(entry === undefined ? {} : { entry }),
  ...(files === undefined ? {} : { files }),
  ...(lock === undefined ? {} : { lock }),
});

/** Hex SHA-256 of the code, or of the code with the paths and texts of all files; whatever it is built with. */
export function codeHashOf({ code, entry, files }: Program): string {
  if (entry === undefined && files === undefined) return hashOf(code);
  const others = Object.entries(files ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hashOf(JSON.stringify([entry ?? null, code, others]));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Of what its author wrote, in bytes, paths included. */
export function programBytes({ code, entry = '', files = {} }: Program): number {
  const texts = [code, entry, ...Object.entries(files).flat()];
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}
