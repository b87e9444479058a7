// Deletes trimmed rows, oldest first, a few milliseconds at a time.
import type { Database, Statement } from 'better-sqlite3';
import { expiringTopics, type ExpiringTopic } from '../../../domain/flow.ts';
import { rowsWithin, selectTrimmed, tableOf, type TrimmedRow } from '../schema.ts';
import type { Chore } from './upkeep.ts';

/** Rows deleted by one statement: each can free 32 KiB of pages. */
const rowsMax = 16;
/** The length of a step; a commit that arrives during a step waits for its end. */
const stepMs = 3;

interface RemovalParams {
  readonly partition: number;
  readonly below: number;
  readonly rowsMax: number;
}

export class Trimming implements Chore {
  readonly #trimmed: Statement<[], TrimmedRow>;
  readonly #removals: ReadonlyMap<ExpiringTopic, Statement<[RemovalParams]>>;
  /** The offset up to which each partition's rows were deleted, so that none is searched twice. */
  readonly #removed = new Map<string, number>();

  constructor(db: Database) {
    this.#trimmed = selectTrimmed(db);
    this.#removals = new Map(expiringTopics.map((topic) => [topic, db.prepare<[RemovalParams]>(removalOf(topic))]));
  }

  step(): boolean {
    for (const { topic, partition, below } of this.#trimmed.all()) {
      const partitionKey = `${topic}/${partition}`;
      if (this.#removed.get(partitionKey) === below) continue;
      if (this.#remove(topic, { partition, below, rowsMax })) return true;
      this.#removed.set(partitionKey, below);
    }
    return false;
  }

  #remove(topic: ExpiringTopic, removal: RemovalParams): boolean {
    let removed = 0;
    for (const deadline = performance.now() + stepMs; performance.now() < deadline;) {
      const changes = this.#removals.get(topic)?.run(removal).changes ?? 0;
      removed += changes;
      if (changes < rowsMax) break;
    }
    return removed > 0;
  }
}

/** SQL that deletes rows, except a partition's newest, which is hidden from readers and holds the partition's end. */
function removalOf(topic: ExpiringTopic): string {
  const table = tableOf(topic);
  const rows = `FROM ${rowsWithin(topic)}`;
  return `DELETE FROM ${table} WHERE "offset" IN (
    SELECT "offset" ${rows} AND "offset" < min(:below, (SELECT max("offset") ${rows})) ORDER BY "offset" LIMIT :rowsMax)`;
}
