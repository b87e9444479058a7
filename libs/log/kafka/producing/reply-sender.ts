// Sends replies, one send at a time; the next send takes all that wait. A failed send is retried while somebody may
// still wait for the replies. The oldest are dropped when too much waits.
import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../../../primitives/time-limit.ts';
import type { Outbound } from '../kafkajs/producer/outbound.ts';
import { limits } from '../kafka-limits.ts';
import type { KafkaServers } from '../servers.ts';
import { IdempotentProducer } from '../kafkajs/producer/idempotent-producer.ts';

export class ReplySender {
  readonly #servers: KafkaServers;
  readonly #topic: string;
  readonly #waiting: Outbound[] = [];
  #waitingBytes = 0;
  #producer: IdempotentProducer | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(servers: KafkaServers, topic: string) {
    this.#servers = servers;
    this.#topic = topic;
  }

  send(row: Outbound): void {
    if (row.bytes > limits.replyBytes) return;
    this.#waiting.push(row);
    this.#waitingBytes += row.bytes;
    while (this.#waitingBytes > limits.repliesWaitingBytes) this.#next();
    this.#running ??= this.#run();
  }

  /** Closes after sending the waiting replies, if Kafka takes them soon: a caller without its reply asks again. */
  async close(): Promise<void> {
    const sent = within(this.#running ?? Promise.resolve(), limits.endMs, 'sending the last replies');
    await sent.catch(() => undefined);
    this.#closed = true;
    this.#producer?.link.sever();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#closed) {
      const rows = this.#take();
      if (await this.#sent(rows)) continue;
      this.#putBack(rows);
      await delay(limits.pollPauseMs);
    }
    this.#running = undefined;
  }

  async #sent(rows: readonly Outbound[]): Promise<boolean> {
    const settings = { servers: this.#servers, topics: [this.#topic] };
    const producer = (this.#producer ??= IdempotentProducer.to(settings));
    try {
      await within(producer.send(rows), limits.sendMs, 'sending replies');
      return true;
    } catch (error) {
      this.#producer = producer.replaced(settings, error);
      return false;
    }
  }

  /** Drops the replies that nobody waits for any more. If one did arrive, its second copy is ignored. */
  #putBack(rows: readonly Outbound[]): void {
    const since = Date.now() - limits.replyWaitedMs;
    const wanted = rows.filter(({ timestamp }) => Number(timestamp) > since);
    this.#waiting.unshift(...wanted);
    this.#waitingBytes += wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Takes the replies of one send: at least one. */
  #take(): readonly Outbound[] {
    const rows: Outbound[] = [];
    for (let bytes = 0; this.#waiting.length > 0;) {
      bytes += this.#waiting[0]?.bytes ?? 0;
      if (rows.length > 0 && bytes > limits.replyBytes) break;
      rows.push(...this.#next());
    }
    return rows;
  }

  #next(): readonly Outbound[] {
    const first = this.#waiting.splice(0, 1);
    for (const { bytes } of first) this.#waitingBytes -= bytes;
    return first;
  }
}
