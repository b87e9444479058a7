// Gives free pages back to the file system, a few at a time, from the file's end.
import type { Database } from 'better-sqlite3';
import type { Chore } from './upkeep.ts';

/** Free pages worth keeping: appends use them up in a while. */
const keptPages = 512;
/** This part of the file may stay free too. */
const keptPart = 1 / 16;
/** A quarter of a MiB; each is a page that moves. */
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
