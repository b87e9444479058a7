// Sends the requests of one process in call order, one send at a time; those that arrive meanwhile share the next one.
import { within } from '../../../primitives/time-limit.ts';
import { apiKeys } from '../kafkajs/client/link.ts';
import { unavailableError, unknownOutcomeError } from '../kafkajs/client/kafka-errors.ts';
import { unwrapSingle } from '../../appending/unwrap-single.ts';
import type { OutboundRecord } from '../kafkajs/producer/outbound-record.ts';
import { limits } from '../kafka-limits.ts';
import { GroupCommit } from './group-commit.ts';
import { IdempotentProducer, type ProducerSettings } from '../kafkajs/producer/idempotent-producer.ts';

const operation = 'a request';

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
  async submit(row: OutboundRecord): Promise<number> {
    return unwrapSingle(await this.#commits.submit({ rows: [row], bytes: row.bytes }));
  }

  /** Closes once sends in flight have ended. */
  async close(): Promise<void> {
    await this.#commits.waitUntilIdle();
    this.#producer?.link.sever();
  }

  async #send(rows: readonly OutboundRecord[]): Promise<readonly number[]> {
    const producer = (this.#producer ??= IdempotentProducer.create(this.#settings));
    const { link } = producer;
    const writtenBefore = link.writtenCount(apiKeys.produce);
    try {
      return await within(producer.send(rows), limits.sendMs, operation);
    } catch (error) {
      this.#producer = producer.replace(this.#settings, error);
      throw link.writtenCount(apiKeys.produce) > writtenBefore
        ? unknownOutcomeError(operation, error)
        : unavailableError(operation, error);
    }
  }
}
