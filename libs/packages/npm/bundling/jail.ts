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
  holds(path: string): boolean {
    return this.#placeOf(path) !== undefined;
  }

  /** The files of all packages, by path in the tree. */
  get files(): readonly string[] {
    return Object.keys(this.#record.hashes);
  }

  /** Whether the packages have a file of this path, or of this path with a script's ending. Does not read the disk. */
  hasScript(path: string): boolean {
    if (!path.startsWith(this.#folder + sep)) return false;
    const place = path.slice(this.#folder.length + 1);
    return endings.some((ending) => Object.hasOwn(this.#record.hashes, place + ending));
  }

  /** Undefined for a file that must not be read. Throws if the file has changed since it was installed. */
  read(path: string): Buffer | undefined {
    const place = this.#placeOf(path);
    if (place === undefined) return undefined;
    const bytes = readFileSync(this.#folder + sep + place);
    if (this.#record.hashes[place] === hashOfFile(bytes)) return bytes;
    throw new DamagedPackagesError(`${place} is not as it was installed`);
  }

  /** The file's path in the tree; undefined: it is outside or does not exist. */
  #placeOf(path: string): string | undefined {
    try {
      const real = realpathSync(path);
      return real.startsWith(this.#folder + sep) ? real.slice(this.#folder.length + 1) : undefined;
    } catch {
      return undefined;
    }
  }
}
