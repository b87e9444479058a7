// Limits the files of a bundle to the program's own packages, by real paths, regardless of links and `../..`.
import { readFileSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { hashOfFile } from '../trees/tree.ts';
import type { TreeRecord } from '../trees/tree.ts';

/** Endings that an import can omit. */
const endings = ['', '.js', '.json', '.ts'];

/** Thrown if a file of the tree has other bytes than were installed. */
export class DamagedPackagesError extends Error {
  override readonly name = 'DamagedPackagesError';
}

export class Jail {
  readonly #folder: string;
  readonly #record: TreeRecord;

  constructor(folder: string, record: TreeRecord) {
    this.#folder = realpathSync(folder);
    this.#record = record;
  }

  /** Whether a file is in the tree, and so can be read. */
  contains(path: string): boolean {
    return this.#treePathOf(path) !== undefined;
  }

  /** The files of all packages, by path in the tree. */
  get files(): readonly string[] {
    return Object.keys(this.#record.hashes);
  }

  /** Whether the packages have a file of this path, or of this path with a script's ending. Does not read the disk. */
  hasScript(path: string): boolean {
    if (!path.startsWith(this.#folder + sep)) return false;
    const treePath = path.slice(this.#folder.length + 1);
    return endings.some((ending) => Object.hasOwn(this.#record.hashes, treePath + ending));
  }

  /** Undefined for a file that must not be read. Throws if the file has changed since it was installed. */
  read(path: string): Buffer | undefined {
    const treePath = this.#treePathOf(path);
    if (treePath === undefined) return undefined;
    const bytes = readFileSync(this.#folder + sep + treePath);
    if (this.#record.hashes[treePath] === hashOfFile(bytes)) return bytes;
    throw new DamagedPackagesError(`${treePath} is not as it was installed`);
  }

  /** The file's path in the tree; undefined: it is outside or does not exist. */
  #treePathOf(path: string): string | undefined {
    try {
      const real = realpathSync(path);
      return real.startsWith(this.#folder + sep) ? real.slice(this.#folder.length + 1) : undefined;
    } catch {
      return undefined;
    }
  }
}
