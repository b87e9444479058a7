// Keeps the newest text of each key that a source has written to its db since its last outcome.
import type { SandboxLimits } from '../../sandbox-limits.ts';
import { dbKeyUnitsMax } from '../../wire.ts';
import { readJson } from '../guest-output/json.ts';

/** A run can replace the whole db by new keys, and a concurrent hook can do the same. */
const dbSizesMax = 4;
const overlappingRuns = 2;

export class DbWrites {
  readonly #newest = new Map<string, string | null>();
  readonly #limits: SandboxLimits['guest'];
  #units = 0;

  constructor(limits: SandboxLimits['guest']) {
    this.#limits = limits;
  }

  /** False: the write was dropped, because the guest's own code would not have sent it. */
  add(key: string, text: string | null): boolean {
    const { dbWritesMax, dbValueBytes, dbBytes } = this.#limits;
    const units = key.length + (text?.length ?? 0);
    if (key.length > dbKeyUnitsMax || this.#newest.size >= overlappingRuns * dbWritesMax) return false;
    if (text !== null && (text.length > dbValueBytes || readJson(text) === undefined)) return false;
    // Deletes the key first, so that the order is that of the newest writes.
    this.#remove(key);
    if (this.#units + units > dbSizesMax * dbBytes) return false;
    this.#newest.set(key, text);
    this.#units += units;
    return true;
  }

  /** Returns and removes all writes. */
  take(): readonly (readonly [string, string | null])[] {
    const writes = [...this.#newest];
    this.#newest.clear();
    this.#units = 0;
    return writes;
  }

  #remove(key: string): void {
    const previous = this.#newest.get(key);
    if (this.#newest.delete(key)) this.#units -= key.length + (previous?.length ?? 0);
  }
}
