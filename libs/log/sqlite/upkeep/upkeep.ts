// Runs background work on the log's file in short steps between commits, which it slows down by a twentieth at most.
import type { Database } from 'better-sqlite3';

/** One kind of background work. It must repeat steps whose transaction was lost. */
export interface Chore {
  /** Works for some milliseconds at most, within one transaction. Returns false if there is nothing to do now. */
  step(): boolean;
}

/** The rest after a step, as a multiple of the step's time: appends keep 0.95 of their speed. */
const restFactor = 20;
/** The factor when nothing was appended since the step. */
const quietRestFactor = 2;
const restMsMin = 5;
/** The rest when there was nothing to do, which bounds how late new work is noticed. */
const idleMs = 1_000;

export class Upkeep {
  readonly #db: Database;
  readonly #chores: readonly Chore[];
  readonly #afterStep: () => void;
  #next = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasAppended = false;
  #closed = false;

  /** The chores take turns. `afterStep` is called after a chore has written. */
  constructor(db: Database, chores: readonly Chore[], afterStep: () => void = () => {}) {
    this.#db = db;
    this.#chores = chores;
    this.#afterStep = afterStep;
    this.#scheduleNext(idleMs);
  }

  /** Call after records were appended. */
  afterAppend(): void {
    this.#hasAppended = true;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #scheduleNext(ms: number): void {
    if (!this.#closed) this.#timer = setTimeout(() => this.#runNext(), ms);
  }

  #runNext(): void {
    for (let tried = 0; tried < this.#chores.length; tried++) {
      const chore = this.#chores[this.#next++ % this.#chores.length];
      const startedAt = performance.now();
      if (chore === undefined || !this.#runStep(chore)) continue;
      this.#afterStep();
      const factor = this.#hasAppended ? restFactor : quietRestFactor;
      this.#hasAppended = false;
      return this.#scheduleNext(Math.max(restMsMin, (performance.now() - startedAt) * factor));
    }
    this.#scheduleNext(idleMs);
  }

  /** Runs a step; its writes are not synced: the next commit of records syncs them too, and reports a failing disk. */
  #runStep(chore: Chore): boolean {
    try {
      this.#db.pragma('synchronous = NORMAL');
      this.#db.exec('BEGIN IMMEDIATE');
      const hasWorked = chore.step();
      this.#db.exec('COMMIT');
      return hasWorked;
    } catch {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      return false;
    } finally {
      this.#db.pragma('synchronous = FULL');
    }
  }
}
