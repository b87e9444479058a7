// Appends of one owner: each a Kafka transaction, one at a time, on a producer that is dropped after any failure.
import { PortError } from '../../../domain/port-error.ts';
import { apiKeys } from '../client/link.ts';
import { isSuperseded, unavailable, unknownOutcome } from '../client/trouble.ts';
import { within } from '../client/within.ts';
import type { Outbound } from '../cloud-event.ts';
import { limits } from '../limits.ts';
import type { KafkaServers } from '../servers.ts';
import { IdempotentProducer } from './idempotent/idempotent-producer.ts';

export interface ProducerSettings {
  readonly servers: KafkaServers;
  /** All that it will ever send to, with the prefix. */
  readonly topics: readonly string[];
}

export class TransactionalProducer {
  readonly #name: string;
  readonly #producer: IdempotentProducer;

  private constructor(transactionalId: string, producer: IdempotentProducer) {
    this.#name = transactionalId;
    this.#producer = producer;
  }

  /** Fences every other producer with this id and settles its open transaction. Throws PortError `unavailable`. */
  static async open(
    { servers, topics }: ProducerSettings,
    transactionalId: string,
    limitMs: number = limits.takeOverMs,
  ): Promise<TransactionalProducer> {
    const producer = IdempotentProducer.to(servers, topics, transactionalId);
    try {
      await within(limitMs, `taking ${transactionalId} over`, producer.start());
      return new TransactionalProducer(transactionalId, producer);
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
      return await within(limits.transactionMs, what, this.#transact(rows));
    } catch (error) {
      this.close();
      const uncertain = isSuperseded(error) || link.written(apiKeys.endTransaction) > commits;
      throw uncertain ? unknownOutcome(what, error) : unavailable(what, error);
    }
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
}
