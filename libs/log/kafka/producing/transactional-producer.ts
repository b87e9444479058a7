// Appends of one owner: each a Kafka transaction, one at a time, on a producer that is dropped after any failure.
import type { Producer } from 'kafkajs';
import { PortError } from '../../../domain/port-error.ts';
import { apiKeys, Link } from '../client/link.ts';
import { isSuperseded, unavailable, unknownOutcome } from '../client/trouble.ts';
import { within } from '../client/within.ts';
import type { Outbound } from '../cloud-event.ts';
import { limits } from '../limits.ts';
import type { KafkaServers } from '../servers.ts';
import { sendsOf } from './batches.ts';
import { explicitPartitions, send } from './sending.ts';

export class TransactionalProducer {
  readonly #name: string;
  readonly #link: Link;
  readonly #producer: Producer;

  private constructor(transactionalId: string, link: Link) {
    this.#name = transactionalId;
    this.#link = link;
    this.#producer = link.kafka.producer({
      transactionalId,
      transactionTimeout: limits.brokerTransactionMs,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: explicitPartitions,
    });
  }

  /** Fences every other producer with this id and settles its open transaction. Throws PortError `unavailable`. */
  static async open(
    servers: KafkaServers,
    transactionalId: string,
    limitMs: number = limits.takeOverMs,
  ): Promise<TransactionalProducer> {
    const producer = new TransactionalProducer(transactionalId, new Link(servers));
    try {
      await within(limitMs, `taking ${transactionalId} over`, producer.#start());
      return producer;
    } catch (error) {
      producer.close();
      throw unavailable(`taking ${transactionalId} over`, error);
    }
  }

  /** Whether it can be used no more: after a failure, or when it was closed. */
  get ended(): boolean {
    return this.#link.severed;
  }

  /**
   * All rows or none. Throws PortError `unavailable` when certainly none, else `unknown_outcome`: also when the brokers
   * know a newer producer, because only the mark tells who that is.
   */
  async append(rows: readonly Outbound[]): Promise<readonly number[]> {
    if (this.ended) throw new PortError('unavailable', `the producer ${this.#name} was ended`);
    const commits = this.#link.written(apiKeys.endTransaction);
    const what = `an append of ${this.#name}`;
    try {
      return await within(limits.transactionMs, what, this.#transact(rows));
    } catch (error) {
      this.close();
      const uncertain = isSuperseded(error) || this.#link.written(apiKeys.endTransaction) > commits;
      throw uncertain ? unknownOutcome(what, error) : unavailable(what, error);
    }
  }

  /** Ends at once; the brokers abort what is open. */
  close(): void {
    this.#link.sever();
  }

  /** kafkajs asks for the producer's id in its first transaction, which is left empty: nothing of it reaches a broker. */
  async #start(): Promise<void> {
    await this.#producer.connect();
    const empty = await this.#producer.transaction();
    await empty.abort();
  }

  async #transact(rows: readonly Outbound[]): Promise<readonly number[]> {
    const transaction = await this.#producer.transaction();
    const offsets = Array.from(rows, () => NaN);
    for (const numbered of sendsOf(rows)) await send(transaction, numbered, offsets);
    if (this.ended) throw new Error('it was given up before its commit');
    await transaction.commit();
    return offsets;
  }
}
