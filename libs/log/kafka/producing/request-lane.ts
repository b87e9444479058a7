// The requests of one process: sent one send at a time, in call order, each of them whole.
import { PortError } from '../../../domain/port-error.ts';
import { apiKeys } from '../client/link.ts';
import { unavailable, unknownOutcome } from '../client/trouble.ts';
import { within } from '../client/within.ts';
import type { Outbound } from '../cloud-event.ts';
import { limits } from '../limits.ts';
import { GroupCommit, type Entry } from './group-commit.ts';
import { IdempotentProducer } from './idempotent/idempotent-producer.ts';
import { TransactionalProducer } from './transactional-producer.ts';
import type { ProducerSettings } from './transactional-producer.ts';

interface RequestEntry extends Entry {
  /** All its records go into one batch of one partition, which a broker appends whole or not at all. */
  readonly oneBatch: boolean;
}

const what = 'a request';

export class RequestLane {
  readonly #settings: ProducerSettings;
  readonly #transactionalId: string;
  readonly #commits: GroupCommit<RequestEntry>;
  #idempotent: IdempotentProducer | undefined;
  #transactional: TransactionalProducer | undefined;

  constructor(settings: ProducerSettings, transactionalId: string) {
    this.#settings = settings;
    this.#transactionalId = transactionalId;
    this.#commits = new GroupCommit({
      commit: (entries) => this.#commit(entries),
      joins: (first, next) => first.oneBatch && next.oneBatch,
      groupBytesMax: limits.batchBytes,
    });
  }

  async submit(rows: readonly Outbound[]): Promise<readonly number[]> {
    const [first] = rows;
    if (first === undefined) return [];
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    const onePlace = rows.every(({ topic, partition }) => topic === first.topic && partition === first.partition);
    return this.#commits.submit({ rows, bytes, oneBatch: onePlace && bytes <= limits.batchBytes });
  }

  /** After what is in flight. */
  async close(): Promise<void> {
    await this.#commits.idle();
    this.#idempotent?.link.sever();
    this.#transactional?.close();
  }

  /**
   * What fits into one batch needs no transaction: it takes a third of the time, and a gateway that is killed leaves
   * nothing open behind it that readers would have to wait for.
   */
  #commit(entries: readonly RequestEntry[]): Promise<readonly number[]> {
    const rows = entries.flatMap((entry) => entry.rows);
    return entries.every((entry) => entry.oneBatch) ? this.#send(rows) : this.#transact(rows);
  }

  async #send(rows: readonly Outbound[]): Promise<readonly number[]> {
    const producer = (this.#idempotent ??= IdempotentProducer.to(this.#settings.servers, this.#settings.topics));
    const { link } = producer;
    const produced = link.written(apiKeys.produce);
    try {
      return await within(limits.sendMs, what, producer.send(rows));
    } catch (error) {
      link.sever();
      this.#idempotent = undefined;
      throw link.written(apiKeys.produce) > produced ? unknownOutcome(what, error) : unavailable(what, error);
    }
  }

  async #transact(rows: readonly Outbound[]): Promise<readonly number[]> {
    if (this.#transactional === undefined || this.#transactional.ended)
      this.#transactional = await TransactionalProducer.open(this.#settings, this.#transactionalId, limits.sendMs);
    try {
      return await this.#transactional.append(rows);
    } catch (error) {
      if (error instanceof PortError) throw error;
      throw unavailable(what, error);
    }
  }
}
