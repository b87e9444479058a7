// The requests of one process: sent one send at a time, in call order, each of them whole.
import { apiKeys } from '../client/link.ts';
import { unavailable, unknownOutcome } from '../client/trouble.ts';
import { within } from '../client/within.ts';
import type { Outbound } from '../encoding/cloud-event.ts';
import { limits } from '../limits.ts';
import { GroupCommit, type Entry } from './group-commit.ts';
import type { Place } from '../client/offsets.ts';
import { IdempotentProducer, type ProducerSettings } from './idempotent/idempotent-producer.ts';
import { Showing } from './showing.ts';
import { TransactionalProducer } from './transactional-producer.ts';

interface RequestEntry extends Entry {
  /** All its records go into one batch of one partition, which a broker appends whole or not at all. */
  readonly oneBatch: boolean;
}

export interface RequestLaneSettings extends ProducerSettings {
  readonly transactionalId: string;
  /** Where requests go. */
  readonly places: readonly Place[];
}

const what = 'a request';

export class RequestLane {
  readonly #settings: RequestLaneSettings;
  readonly #commits: GroupCommit<RequestEntry>;
  #idempotent: IdempotentProducer | undefined;
  #transactional: TransactionalProducer | undefined;
  readonly #showing = new Showing(() => this.#open());
  #closed = false;

  constructor(settings: RequestLaneSettings) {
    this.#settings = settings;
    this.#commits = new GroupCommit({
      commit: (entries) => this.#commit(entries),
      joins: (first, next) => first.oneBatch && next.oneBatch,
      groupBytesMax: limits.batchBytes,
      gatherMs: limits.requestsGatherMs,
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
    this.#closed = true;
    this.#showing.end();
    await this.#commits.idle();
    this.#idempotent?.link.sever();
    this.#transactional?.close();
    await this.#showing.idle();
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
    const producer = (this.#idempotent ??= IdempotentProducer.to(this.#settings));
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
    await this.#showing.over(limits.shownMs / 2);
    if (this.#transactional === undefined || this.#transactional.ended) await this.#open();
    const producer = this.#transactional;
    if (producer === undefined) throw new Error('what was opened is there');
    try {
      return await producer.append(rows);
    } finally {
      this.#showing.watch(producer);
    }
  }

  async #open(): Promise<void> {
    const { places, ...settings } = this.#settings;
    const writes = { own: [], shared: places };
    const producer = new TransactionalProducer({ ...settings, writes, limitMs: limits.sendMs });
    await producer.takeOver();
    if (this.#closed) return producer.close();
    this.#transactional = producer;
  }
}
