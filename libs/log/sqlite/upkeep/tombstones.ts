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
  readonly #selectNewest: Statement<[], Tombstone>;
  readonly #selectUpTo: Statement<[TopicName, number, number], number>;
  readonly #deleteEntry: Statement<[TopicName, number]>;
  /** Each topic's newest tombstone at the last look; `#due` are those of the look before, old enough to be deleted. */
  #seen: readonly Tombstone[] = [];
  #due: readonly Tombstone[] = [];
  #checkedAt = -Infinity;

  constructor(db: Database) {
    this.#db = db;
    this.#selectNewest = db.prepare('SELECT topic, max("offset") AS "offset" FROM tombstones GROUP BY topic');
    const upTo = 'SELECT "offset" FROM tombstones WHERE topic = ? AND "offset" <= ? LIMIT ?';
    this.#selectUpTo = db.prepare<[TopicName, number, number], number>(upTo).pluck();
    this.#deleteEntry = db.prepare('DELETE FROM tombstones WHERE topic = ? AND "offset" = ?');
  }

  /** `now`: a monotonic clock, in milliseconds. */
  step(now = performance.now()): boolean {
    if (now - this.#checkedAt >= keptMs) {
      this.#due = this.#seen;
      this.#seen = this.#selectNewest.all();
      this.#checkedAt = now;
    }
    return this.#due.some(({ topic, offset }) =>
      this.#deleteTombstones(topic, this.#selectUpTo.all(topic, offset, stepRowsMax)),
    );
  }

  #deleteTombstones(topic: TopicName, offsets: readonly number[]): boolean {
    const table = tableOf(topic);
    const selectPartition = this.#db
      .prepare<[number], number>(`SELECT partition FROM ${table} WHERE "offset" = ?`)
      .pluck();
    const selectNewer = this.#db.prepare<[number, number], number>(
      `SELECT 1 FROM ${table} WHERE partition = ? AND "offset" > ? LIMIT 1`,
    );
    const remove = this.#db.prepare<[number]>(`DELETE FROM ${table} WHERE "offset" = ?`);
    let deleted = 0;
    for (const offset of offsets) {
      const partition = selectPartition.get(offset);
      // A partition's newest row is kept: it holds the partition's end. A newer record can have replaced the tombstone.
      if (partition !== undefined && selectNewer.get(partition, offset) === undefined) continue;
      deleted += remove.run(offset).changes + this.#deleteEntry.run(topic, offset).changes;
    }
    return deleted > 0;
  }
}
