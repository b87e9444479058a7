// Sends the requests of one process in call order, one send at a time; those that arrive meanwhile share the next one.
import { within } from '../../../primitives/time-limit.ts';
import { apiKeys } from '../kafkajs/client/link.ts';
import { unavailable, unknownOutcome } from '../kafkajs/client/kafka-errors.ts';
import { only } from '../../appending/only.ts';
import type { Outbound } from '../kafkajs/producer/outbound.ts';
import { limits } from '../kafka-limits.ts';
import { GroupCommit } from './group-commit.ts';
import { IdempotentProducer, type ProducerSettings } from '../kafkajs/producer/idempotent-producer.ts';

const what = 'a request';

/**
 * Without transactions: a transaction takes three times as long, and a killed gateway would leave it open, with readers
 * waiting for its end. A single record is either there or not.
 */
export class RequestLane {
  readonly #settings: ProducerSettings;
  readonly #commits = new GroupCommit({
    commit: (entries) => this.#send(entries.flatMap(({ rows }) => rows)),
    groupBytesMax: limits.batchBytes,
    gatherMs: limits.requestsGatherMs,
  });
  #producer: IdempotentProducer | undefined;

  constructor(settings: ProducerSettings) {
    this.#settings = settings;
  }

  /** Returns the record's offset. Throws PortError `unavailable` if certainly not appended, else `unknown_outcome`. */
  async submit(row: Outbound): Promise<number> {
    return only(await this.#commits.submit({ rows: [row], bytes: row.bytes }));
  }

  /** Closes once sends in flight have ended. */
  async close(): Promise<void> {
    await this.#commits.idle();
    this.#producer?.link.sever();
  }

  async #send(rows: readonly Outbound[]): Promise<readonly number[]> {
    const producer = (this.#producer ??= IdempotentProducer.to(this.#settings));
    const { link } = producer;
    const produced = link.written(apiKeys.produce);
    try {
      return await within(producer.send(rows), limits.sendMs, what);
    } catch (error) {
      this.#producer = producer.replaced(this.#settings, error);
      throw link.written(apiKeys.produce) > produced ? unknownOutcome(what, error) : unavailable(what, error);
    }
  }
}
