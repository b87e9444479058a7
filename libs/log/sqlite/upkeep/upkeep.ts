// Work on the log's file that nobody waits for: in short steps between commits, which it slows down by a twentieth at most.
import type { Database } from 'better-sqlite3';

/** One kind of such work. Its transactions are its own, and lost ones are done again. */
export interface Chore {
  /** Does a little, some milliseconds of work at most, within one transaction. False: nothing is to be done now. */
  step(): boolean;
}

/** After a step it rests this many times as long as the step took: appends keep 0.95 of their speed. */
const restFactor = 20;
/** The same when nobody has appended since. */
const quietRestFactor = 2;
const restMsMin = 5;
/** When there was nothing to do: the time in which new work is noticed. */
const idleMs = 1_000;

export class Upkeep {
  readonly #db: Database;
  readonly #chores: readonly Chore[];
  readonly #afterStep: () => void;
  #next = 0;
  #timer: NodeJS.Timeout | undefined;
  #disturbing = false;
  #closed = false;

  /** Every chore has its turn. `afterStep` is called when one has written. */
  constructor(db: Database, chores: readonly Chore[], afterStep: () => void = () => {}) {
    this.#db = db;
    this.#chores = chores;
    this.#afterStep = afterStep;
    this.#rest(idleMs);
  }

  /** Somebody appends. */
  committed(): void {
    this.#disturbing = true;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #rest(ms: number): void {
    if (!this.#closed) this.#timer = setTimeout(() => this.#turn(), ms);
  }

  #turn(): void {
    for (let tried = 0; tried < this.#chores.length; tried++) {
      const chore = this.#chores[this.#next++ % this.#chores.length];
      const startedAt = performance.now();
      if (chore === undefined || !this.#did(chore)) continue;
      this.#afterStep();
      const factor = this.#disturbing ? restFactor : quietRestFactor;
      this.#disturbing = false;
      return this.#rest(Math.max(restMsMin, (performance.now() - startedAt) * factor));
    }
    this.#rest(idleMs);
  }

  /** Not synced by itself: the next commit of records syncs it with them. A disk that fails is met, and told of, by that. */
  #did(chore: Chore): boolean {
    try {
      this.#db.pragma('synchronous = NORMAL');
      this.#db.exec('BEGIN IMMEDIATE');
      const did = chore.step();
      this.#db.exec('COMMIT');
      return did;
    } catch {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      return false;
    } finally {
      this.#db.pragma('synchronous = FULL');
    }
  }
}
