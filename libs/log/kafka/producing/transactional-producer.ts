// Makes the appends of one owner: each is a Kafka transaction, one at a time, on a producer that ends at any failure.
import { setTimeout as delay } from 'node:timers/promises';
import { PortError } from '../../../domain/port-error.ts';
import { Backoff } from '../../../primitives/backoff.ts';
import { within } from '../../../primitives/time-limit.ts';
import { apiKeys } from '../kafkajs/client/link.ts';
import { isSuperseded, unavailableError, unknownOutcomeError } from '../kafkajs/client/kafka-errors.ts';
import type { OutboundRecord } from '../kafkajs/producer/outbound-record.ts';
import { limits } from '../kafka-limits.ts';
import { nameOf, type TopicPartition } from '../kafkajs/client/offsets.ts';
import { IdempotentProducer, type ProducerSettings } from '../kafkajs/producer/idempotent-producer.ts';
import { closeOpenTransactions, type KafkaWriteScope } from './close-open-transactions.ts';

export interface TransactionalSettings extends ProducerSettings {
  /** A new producer with this id fences all earlier ones. */
  readonly transactionalId: string;
  readonly writeScope: KafkaWriteScope;
  /** Time limit of the take-over, in milliseconds. */
  readonly limitMs: number;
}

/** Where an append ends in one partition. */
interface EndOffset extends TopicPartition {
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
  #lastEnds: readonly EndOffset[] = [];

  constructor(settings: TransactionalSettings) {
    this.#name = settings.transactionalId;
    this.#settings = settings;
    this.#producer = IdempotentProducer.create(settings, settings.transactionalId);
  }

  /**
   * To be called once, before any append: fences all other producers with its id and settles the transactions that they
   * left. Throws PortError `unavailable`.
   */
  async takeOver(): Promise<void> {
    const operation = `taking ${this.#name} over`;
    const runTakeOver = async (): Promise<void> => {
      await this.#producer.start();
      await closeOpenTransactions(this.#producer, this.#settings.writeScope);
    };
    try {
      await within(runTakeOver(), this.#settings.limitMs, operation);
    } catch (error) {
      this.close();
      throw unavailableError(operation, error);
    }
  }

  /** Whether the producer can no longer be used: after a failure, or when it was closed. */
  get isEnded(): boolean {
    return this.#producer.link.isSevered;
  }

  /**
   * Appends all rows or none. Throws PortError `unavailable` when certainly none, else `unknown_outcome`. That is also
   * thrown when the brokers know a newer producer, because only the mark tells whose it is.
   */
  async append(rows: readonly OutboundRecord[]): Promise<readonly number[]> {
    if (this.isEnded) throw new PortError('unavailable', `the producer ${this.#name} was ended`);
    const { link } = this.#producer;
    const writtenBefore = link.writtenCount(apiKeys.endTransaction);
    const operation = `an append of ${this.#name}`;
    try {
      const offsets = await within(this.#transact(rows), limits.transactionMs, operation);
      this.#lastEnds = endsOf(rows, offsets);
      return offsets;
    } catch (error) {
      this.close();
      const isUncertain = isSuperseded(error) || link.writtenCount(apiKeys.endTransaction) > writtenBefore;
      throw isUncertain ? unknownOutcomeError(operation, error) : unavailableError(operation, error);
    }
  }

  /**
   * Whether the last append can be read, now or soon. If not, this producer is ended: if its next transaction were
   * aborted, that append would be aborted with it.
   */
  async confirmVisible(): Promise<boolean> {
    if (this.isEnded) return false;
    try {
      await within(this.#pollUntilVisible(), limits.visibleMs, `showing an append of ${this.#name}`);
    } catch {
      this.close();
    }
    return !this.isEnded;
  }

  /** Ends at once; the brokers abort its open transaction. */
  close(): void {
    this.#producer.link.sever();
  }

  async #transact(rows: readonly OutboundRecord[]): Promise<readonly number[]> {
    await this.#producer.addPartitions(rows);
    const offsets = await this.#producer.send(rows);
    if (this.isEnded) throw new Error('it was dropped before its commit');
    await this.#producer.commit();
    return offsets;
  }

  async #pollUntilVisible(): Promise<void> {
    const ends = this.#lastEnds;
    for (const backoff = new Backoff(firstPauseMs, longestPauseMs); !this.isEnded;) {
      const stable = await this.#producer.endOffsets(ends, 'stable');
      if (ends.every((place) => (stable.get(nameOf(place)) ?? 0) >= place.end)) return;
      await delay(backoff.next());
    }
  }
}

function endsOf(rows: readonly OutboundRecord[], offsets: readonly number[]): readonly EndOffset[] {
  const ends = new Map<string, EndOffset>();
  for (const [i, { topic, partition }] of rows.entries())
    ends.set(nameOf({ topic, partition }), { topic, partition, end: (offsets[i] ?? NaN) + 1 });
  return [...ends.values()];
}
