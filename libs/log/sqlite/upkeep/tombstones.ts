// Deletes tombstones that every reader has read, so that nothing of an erased key is left in the file.
import type { Database, Statement } from 'better-sqlite3';
import type { TopicName } from '../../../domain/flow.ts';
import { tableOf } from '../schema.ts';
import type { Chore } from './upkeep.ts';

/** The time for readers of a key's record to read its tombstone: a restore takes seconds, a tail gets it at once. */
const keptMs = 60_000;
/** Tombstones per step; each is a row and two index entries. */
const stepRowsMax = 200;

interface Tombstone {
  readonly topic: TopicName;
  readonly offset: number;
}

export class Tombstones implements Chore {
  readonly #db: Database;
  readonly #newest: Statement<[], Tombstone>;
  readonly #upTo: Statement<[TopicName, number, number], number>;
  readonly #forget: Statement<[TopicName, number]>;
  /** Each topic's newest tombstone at the last look; `#due` are those of the look before, old enough to be deleted. */
  #seen: readonly Tombstone[] = [];
  #due: readonly Tombstone[] = [];
  #lookedAt = -Infinity;

  constructor(db: Database) {
    this.#db = db;
    this.#newest = db.prepare('SELECT topic, max("offset") AS "offset" FROM tombstones GROUP BY topic');
    const upTo = 'SELECT "offset" FROM tombstones WHERE topic = ? AND "offset" <= ? LIMIT ?';
    this.#upTo = db.prepare<[TopicName, number, number], number>(upTo).pluck();
    this.#forget = db.prepare('DELETE FROM tombstones WHERE topic = ? AND "offset" = ?');
  }

  /** `now`: a monotonic clock, in milliseconds. */
  step(now = performance.now()): boolean {
    if (now - this.#lookedAt >= keptMs) {
      this.#due = this.#seen;
      this.#seen = this.#newest.all();
      this.#lookedAt = now;
    }
    return this.#due.some(({ topic, offset }) => this.#take(topic, this.#upTo.all(topic, offset, stepRowsMax)));
  }

  #take(topic: TopicName, offsets: readonly number[]): boolean {
    const table = tableOf(topic);
    const partitionOf = this.#db.prepare<[number], number>(`SELECT partition FROM ${table} WHERE "offset" = ?`).pluck();
    const ending = this.#db.prepare<[number, number], number>(
      `SELECT 1 FROM ${table} WHERE partition = ? AND "offset" > ? LIMIT 1`,
    );
    const remove = this.#db.prepare<[number]>(`DELETE FROM ${table} WHERE "offset" = ?`);
    let taken = 0;
    for (const offset of offsets) {
      const partition = partitionOf.get(offset);
      // A partition's newest row is kept: it holds the partition's end. A newer record can have replaced the tombstone.
      if (partition !== undefined && ending.get(partition, offset) === undefined) continue;
      taken += remove.run(offset).changes + this.#forget.run(topic, offset).changes;
    }
    return taken > 0;
  }
}
