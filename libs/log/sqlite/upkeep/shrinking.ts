// Returns free pages to the file system, a few at a time, from the end of the file.
import type { Database } from 'better-sqlite3';
import type { Chore } from './upkeep.ts';

/** This many free pages are kept: appends soon use them. */
const keptPages = 512;
/** This fraction of the file can stay free too. */
const keptPart = 1 / 16;
/** Pages per step, a quarter of a MiB; each of them can mean that SQLite moves a page. */
const stepPages = 64;

export class Shrinking implements Chore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  step(): boolean {
    const before = this.#pragma('freelist_count');
    if (before <= Math.max(keptPages, this.#pragma('page_count') * keptPart)) return false;
    this.#db.pragma(`incremental_vacuum(${stepPages})`);
    return this.#pragma('freelist_count') < before;
  }

  #pragma(name: string): number {
    return Number(this.#db.pragma(name, { simple: true }));
  }
}
