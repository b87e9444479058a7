// Appends of one owner: each a Kafka transaction, one at a time, on a producer that is dropped after any failure.
import { setTimeout as delay } from 'node:timers/promises';
import { PortError } from '../../../domain/port-error.ts';
import { apiKeys } from '../client/link.ts';
import { isSuperseded, unavailable, unknownOutcome } from '../client/trouble.ts';
import { within } from '../client/within.ts';
import type { Outbound } from '../cloud-event.ts';
import { limits } from '../limits.ts';
import { nameOf, type Place } from './idempotent/ends.ts';
import { IdempotentProducer, type ProducerSettings } from './idempotent/idempotent-producer.ts';
import { closeLeftOpen, type Writes } from './left-open.ts';

export interface TransactionalSettings extends ProducerSettings {
  /** Whoever opens one with it fences all before. */
  readonly transactionalId: string;
  readonly writes: Writes;
  /** Of the take-over, in milliseconds. */
  readonly limitMs: number;
}

/** Where an append ends in one partition. */
interface End extends Place {
  readonly end: number;
}

/** Until the last append can be read. */
const firstPauseMs = 1;
const longestPauseMs = 50;

export class TransactionalProducer {
  readonly #name: string;
  readonly #producer: IdempotentProducer;
  readonly #watched: ReadonlySet<string>;
  /** Where the last append ends in the partitions that are watched. */
  #last: readonly End[] = [];

  private constructor({ transactionalId, writes }: TransactionalSettings, producer: IdempotentProducer) {
    this.#name = transactionalId;
    this.#producer = producer;
    this.#watched = new Set((writes.own.length > 0 ? writes.own : writes.shared).map(nameOf));
  }

  /** Fences every other producer with this id and settles what it left. Throws PortError `unavailable`. */
  static async open(settings: TransactionalSettings): Promise<TransactionalProducer> {
    const { transactionalId, writes, limitMs } = settings;
    const producer = IdempotentProducer.to(settings, transactionalId);
    const take = async (): Promise<void> => {
      await producer.start();
      await closeLeftOpen(producer, writes);
    };
    try {
      await within(limitMs, `taking ${transactionalId} over`, take());
      return new TransactionalProducer(settings, producer);
    } catch (error) {
      producer.link.sever();
      throw unavailable(`taking ${transactionalId} over`, error);
    }
  }

  /** Whether it can be used no more: after a failure, or when it was closed. */
  get ended(): boolean {
    return this.#producer.link.severed;
  }

  /**
   * All rows or none. Throws PortError `unavailable` when certainly none, else `unknown_outcome`: also when the brokers
   * know a newer producer, because only the mark tells who that is.
   */
  async append(rows: readonly Outbound[]): Promise<readonly number[]> {
    if (this.ended) throw new PortError('unavailable', `the producer ${this.#name} was ended`);
    const { link } = this.#producer;
    const commits = link.written(apiKeys.endTransaction);
    const what = `an append of ${this.#name}`;
    try {
      const offsets = await within(limits.transactionMs, what, this.#transact(rows));
      this.#last = this.#endsOf(rows, offsets);
      return offsets;
    } catch (error) {
      this.close();
      const uncertain = isSuperseded(error) || link.written(apiKeys.endTransaction) > commits;
      throw uncertain ? unknownOutcome(what, error) : unavailable(what, error);
    }
  }

  /**
   * Resolves when the last append can be read. When it does not show in time, this producer is ended: its next
   * transaction, if it were aborted, would take the one before with it.
   */
  async shown(): Promise<void> {
    if (this.ended) return;
    await within(limits.shownMs, `showing an append of ${this.#name}`, this.#untilShown()).catch(() => this.close());
  }

  /** Ends at once; the brokers abort what is open. */
  close(): void {
    this.#producer.link.sever();
  }

  async #transact(rows: readonly Outbound[]): Promise<readonly number[]> {
    await this.#producer.join(rows);
    const offsets = await this.#producer.send(rows);
    if (this.ended) throw new Error('it was given up before its commit');
    await this.#producer.commit();
    return offsets;
  }

  #endsOf(rows: readonly Outbound[], offsets: readonly number[]): readonly End[] {
    const ends = new Map<string, End>();
    for (const [i, { topic, partition }] of rows.entries()) {
      const name = nameOf({ topic, partition });
      if (this.#watched.has(name)) ends.set(name, { topic, partition, end: (offsets[i] ?? NaN) + 1 });
    }
    return [...ends.values()];
  }

  async #untilShown(): Promise<void> {
    const last = this.#last;
    for (let pauseMs = firstPauseMs; !this.ended; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const stable = await this.#producer.ends(last, 'stable');
      if (last.every((place) => (stable.get(nameOf(place)) ?? 0) >= place.end)) return;
      await delay(pauseMs);
    }
  }
}
