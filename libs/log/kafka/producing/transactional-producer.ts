// Makes the appends of one owner: each is a Kafka transaction, one at a time, on a producer that ends at any failure.
import { setTimeout as delay } from 'node:timers/promises';
import { PortError } from '../../../domain/port-error.ts';
import { Backoff } from '../../../primitives/backoff.ts';
import { within } from '../../../primitives/time-limit.ts';
import { apiKeys } from '../kafkajs/client/link.ts';
import { isSuperseded, unavailable, unknownOutcome } from '../kafkajs/client/kafka-errors.ts';
import type { Outbound } from '../kafkajs/producer/outbound.ts';
import { limits } from '../kafka-limits.ts';
import { nameOf, type TopicPartition } from '../kafkajs/client/offsets.ts';
import { IdempotentProducer, type ProducerSettings } from '../kafkajs/producer/idempotent-producer.ts';
import { closeLeftOpen, type Writes } from './left-open.ts';

export interface TransactionalSettings extends ProducerSettings {
  /** A new producer with this id fences all earlier ones. */
  readonly transactionalId: string;
  readonly writes: Writes;
  /** Time limit of the take-over, in milliseconds. */
  readonly limitMs: number;
}

/** Where an append ends in one partition. */
interface End extends TopicPartition {
  readonly end: number;
}

/** Pauses while the last append cannot be read yet. */
const firstPauseMs = 1;
const longestPauseMs = 50;

export class TransactionalProducer {
  readonly #name: string;
  readonly #settings: TransactionalSettings;
  readonly #producer: IdempotentProducer;
  /** Where the last append ends. */
  #last: readonly End[] = [];

  constructor(settings: TransactionalSettings) {
    this.#name = settings.transactionalId;
    this.#settings = settings;
    this.#producer = IdempotentProducer.to(settings, settings.transactionalId);
  }

  /**
   * To be called once, before any append: fences all other producers with its id and settles the transactions that they
   * left. Throws PortError `unavailable`.
   */
  async takeOver(): Promise<void> {
    const what = `taking ${this.#name} over`;
    const take = async (): Promise<void> => {
      await this.#producer.start();
      await closeLeftOpen(this.#producer, this.#settings.writes);
    };
    try {
      await within(take(), this.#settings.limitMs, what);
    } catch (error) {
      this.close();
      throw unavailable(what, error);
    }
  }

  /** Whether the producer can no longer be used: after a failure, or when it was closed. */
  get ended(): boolean {
    return this.#producer.link.severed;
  }

  /**
   * Appends all rows or none. Throws PortError `unavailable` when certainly none, else `unknown_outcome`. That is also
   * thrown when the brokers know a newer producer, because only the mark tells whose it is.
   */
  async append(rows: readonly Outbound[]): Promise<readonly number[]> {
    if (this.ended) throw new PortError('unavailable', `the producer ${this.#name} was ended`);
    const { link } = this.#producer;
    const commits = link.written(apiKeys.endTransaction);
    const what = `an append of ${this.#name}`;
    try {
      const offsets = await within(this.#transact(rows), limits.transactionMs, what);
      this.#last = endsOf(rows, offsets);
      return offsets;
    } catch (error) {
      this.close();
      const uncertain = isSuperseded(error) || link.written(apiKeys.endTransaction) > commits;
      throw uncertain ? unknownOutcome(what, error) : unavailable(what, error);
    }
  }

  /**
   * Whether the last append can be read, now or soon. If not, this producer is ended: if its next transaction were
   * aborted, that append would be aborted with it.
   */
  async shown(): Promise<boolean> {
    if (this.ended) return false;
    try {
      await within(this.#untilShown(), limits.shownMs, `showing an append of ${this.#name}`);
    } catch {
      this.close();
    }
    return !this.ended;
  }

  /** Ends at once; the brokers abort its open transaction. */
  close(): void {
    this.#producer.link.sever();
  }

  async #transact(rows: readonly Outbound[]): Promise<readonly number[]> {
    await this.#producer.join(rows);
    const offsets = await this.#producer.send(rows);
    if (this.ended) throw new Error('it was dropped before its commit');
    await this.#producer.commit();
    return offsets;
  }

  async #untilShown(): Promise<void> {
    const last = this.#last;
    for (const backoff = new Backoff(firstPauseMs, longestPauseMs); !this.ended;) {
      const stable = await this.#producer.ends(last, 'stable');
      if (last.every((place) => (stable.get(nameOf(place)) ?? 0) >= place.end)) return;
      await delay(backoff.next());
    }
  }
}

function endsOf(rows: readonly Outbound[], offsets: readonly number[]): readonly End[] {
  const ends = new Map<string, End>();
  for (const [i, { topic, partition }] of rows.entries())
    ends.set(nameOf({ topic, partition }), { topic, partition, end: (offsets[i] ?? NaN) + 1 });
  return [...ends.values()];
}
