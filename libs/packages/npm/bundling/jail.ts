// The files that a bundle may be made of: the program's own packages, by their real paths, whatever links and `../..` say.
import { readFileSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { hashOfFile } from '../trees/tree.ts';
import type { TreeRecord } from '../trees/tree.ts';

/** Left out by who imports a file. */
const endings = ['', '.js', '.json', '.ts'];

/** A file of the tree has other bytes than were installed. */
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

  /** Whether a file stands where it may be read from. */
  holds(path: string): boolean {
    return this.#placeOf(path) !== undefined;
  }

  /** Of all packages, by path in the tree. */
  get files(): readonly string[] {
    return Object.keys(this.#record.hashes);
  }

  /** Whether the packages have a file of this path, or of this path with the ending of a script; looks at no disk. */
  hasScript(path: string): boolean {
    if (!path.startsWith(this.#folder + sep)) return false;
    const place = path.slice(this.#folder.length + 1);
    return endings.some((ending) => Object.hasOwn(this.#record.hashes, place + ending));
  }

  /** Undefined for a file that must not be read. Throws when it is not as it was installed. */
  read(path: string): Buffer | undefined {
    const place = this.#placeOf(path);
    if (place === undefined) return undefined;
    const bytes = readFileSync(this.#folder + sep + place);
    if (this.#record.hashes[place] === hashOfFile(bytes)) return bytes;
    throw new DamagedPackagesError(`${place} is not as it was installed`);
  }

  /** Where a file stands in the tree. */
  #placeOf(path: string): string | undefined {
    try {
      const real = realpathSync(path);
      return real.startsWith(this.#folder + sep) ? real.slice(this.#folder.length + 1) : undefined;
    } catch {
      return undefined;
    }
  }
}
