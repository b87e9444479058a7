// Deletes trimmed rows, oldest first, a few milliseconds at a time.
import type { Database, Statement } from 'better-sqlite3';
import { passingTopics, type PassingTopic } from '../../../domain/flow.ts';
import { rowsWithin, tableOf } from '../schema.ts';
import type { Chore } from './upkeep.ts';

/** Rows deleted by one statement: each can free 32 KiB of pages. */
const rowsMax = 16;
/** The length of a step; a commit that arrives during a step waits for its end. */
const stepMs = 3;

interface Trimmed {
  readonly topic: PassingTopic;
  readonly partition: number;
  readonly below: number;
}

interface Removal {
  readonly partition: number;
  readonly below: number;
  readonly rowsMax: number;
}

export class Trimming implements Chore {
  readonly #trimmed: Statement<[], Trimmed>;
  readonly #removals: ReadonlyMap<PassingTopic, Statement<[Removal]>>;
  /** The offset up to which each partition's rows were deleted, so that none is searched twice. */
  readonly #removed = new Map<string, number>();

  constructor(db: Database) {
    this.#trimmed = db.prepare('SELECT topic, partition, below FROM trimmed');
    this.#removals = new Map(passingTopics.map((topic) => [topic, db.prepare<[Removal]>(removalOf(topic))]));
  }

  step(): boolean {
    for (const { topic, partition, below } of this.#trimmed.all()) {
      const place = `${topic}/${partition}`;
      if (this.#removed.get(place) === below) continue;
      if (this.#remove(topic, { partition, below, rowsMax })) return true;
      this.#removed.set(place, below);
    }
    return false;
  }

  #remove(topic: PassingTopic, removal: Removal): boolean {
    let removed = 0;
    for (const until = performance.now() + stepMs; performance.now() < until;) {
      const changes = this.#removals.get(topic)?.run(removal).changes ?? 0;
      removed += changes;
      if (changes < rowsMax) break;
    }
    return removed > 0;
  }
}

/** SQL that deletes rows, except a partition's newest, which is hidden from readers and holds the partition's end. */
function removalOf(topic: PassingTopic): string {
  const table = tableOf(topic);
  const rows = `FROM ${rowsWithin(topic)}`;
  return `DELETE FROM ${table} WHERE "offset" IN (
    SELECT "offset" ${rows} AND "offset" < min(:below, (SELECT max("offset") ${rows})) ORDER BY "offset" LIMIT :rowsMax)`;
}
