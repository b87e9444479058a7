// Carries out all waiting orders in one transaction, and so with one sync; each order succeeds or fails by itself.
import type { Database, Statement } from 'better-sqlite3';
import { PortError } from '../../../../domain/port-error.ts';
import { textOf } from '../../../appending/encoding.ts';
import type { Mark } from '../../../log.ts';
import { markRecord } from '../../../appending/mark-record.ts';
import type { Claim } from '../../../appending/owned-writer.ts';
import { commitErrorOf, portErrorOf } from '../../sqlite-errors.ts';
import type { MarkOrder, OrderOutcome, ReadyAppend, ReadyOrder, TrimOrder, WrittenMark } from '../order.ts';
import { TopicTables } from './topic-tables.ts';

export class Committer {
  readonly #db: Database;
  readonly #file: string;
  readonly #tables: TopicTables;
  readonly #begin: Statement;
  readonly #commit: () => void;

  /** `commit` ends a transaction; tests pass one that fails. */
  constructor(db: Database, file: string, commit = defaultCommit(db)) {
    this.#db = db;
    this.#file = file;
    this.#tables = new TopicTables(db);
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = commit;
  }

  /** Returns an outcome per order, in order. Refusals and errors of the file are outcomes; other errors are thrown. */
  carryOut(orders: readonly ReadyOrder[]): readonly OrderOutcome[] {
    const refusals = new Map<number, PortError>();
    try {
      const outcomes = this.#carryOutAll(orders, refusals);
      this.#commitTransaction();
      return outcomes;
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      this.#tables.clearCache();
      const portError = portErrorOf(error, this.#file);
      if (!(portError instanceof PortError)) throw portError;
      return orders.map(({ id }) => failureOutcome(id, refusals.get(id) ?? portError));
    }
  }

  #commitTransaction(): void {
    try {
      this.#commit();
    } catch (error) {
      throw commitErrorOf(error, this.#file);
    }
  }

  #carryOutAll(orders: readonly ReadyOrder[], refusals: Map<number, PortError>): readonly OrderOutcome[] {
    this.#begin.run();
    return orders.map((order) => {
      try {
        if (order.kind === 'trim') return this.#trim(order);
        return order.kind === 'append' ? this.#append(order) : this.#rewriteMark(order);
      } catch (error) {
        if (!(error instanceof PortError)) throw error;
        refusals.set(order.id, error);
        return failureOutcome(order.id, error);
      }
    });
  }

  /** Checks everything before the first write, so that a refused append writes nothing into the shared transaction. */
  #append({ id, topics, marked }: ReadyAppend): OrderOutcome {
    if (marked !== null) {
      const currentMark = this.#currentMark(marked.claim);
      if (marked.mark.batch !== currentMark.batch + 1)
        throw new PortError(
          'unavailable',
          `an append of ${partitionName(marked.claim)} before this one failed: recover() first`,
        );
    }
    const firstOffsets = topics.map((rows) => this.#tables.insert(rows));
    return { id, firstOffsets, written: marked === null ? null : this.#insertMark(marked.claim, marked.mark) };
  }

  #trim({ id, topic, partition, below }: TrimOrder): OrderOutcome {
    this.#tables.trim(topic, partition, below);
    return { id, firstOffsets: [], written: null };
  }

  #rewriteMark({ id, stage, partition, generation }: MarkOrder): OrderOutcome {
    const last = this.#tables.mark(stage, partition);
    const claim = { stage, partition, generation: generation ?? last.generation };
    const mark = this.#currentMark(claim);
    const next = generation === null ? { ...mark, generation: mark.generation + 1 } : mark;
    return { id, firstOffsets: [], written: this.#insertMark(claim, next) };
  }

  #currentMark(claim: Claim): Mark {
    const mark = this.#tables.mark(claim.stage, claim.partition);
    if (mark.generation === claim.generation) return mark;
    throw new PortError(
      'fenced',
      `${partitionName(claim)} has a newer owner (generation ${mark.generation}, this one has ${claim.generation}): give it up`,
    );
  }

  #insertMark({ stage, partition }: Claim, mark: Mark): WrittenMark {
    const { record } = markRecord(stage, partition, mark, Date.now());
    const text = textOf(record);
    const offset = this.#tables.insertMark(stage, mark, { partition, key: record.key, lines: text });
    return { mark, text, offset };
  }
}

const partitionName = ({ stage, partition }: Claim): string => `${stage}/${partition}`;

function failureOutcome(id: number, { code, message }: PortError): OrderOutcome {
  return { id, code, message };
}

function defaultCommit(db: Database): () => void {
  const commit = db.prepare('COMMIT');
  return () => void commit.run();
}
