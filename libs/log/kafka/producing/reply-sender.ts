// Sends replies, one send at a time; the next send takes all that wait. A failed send is retried while somebody may
// still wait for the replies. The oldest are dropped when too much waits.
import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../../../primitives/time-limit.ts';
import type { OutboundRecord } from '../kafkajs/producer/outbound-record.ts';
import { limits } from '../kafka-limits.ts';
import type { KafkaServers } from '../servers.ts';
import { IdempotentProducer } from '../kafkajs/producer/idempotent-producer.ts';

export class ReplySender {
  readonly #servers: KafkaServers;
  readonly #topic: string;
  readonly #pending: OutboundRecord[] = [];
  #pendingBytes = 0;
  #producer: IdempotentProducer | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(servers: KafkaServers, topic: string) {
    this.#servers = servers;
    this.#topic = topic;
  }

  send(row: OutboundRecord): void {
    if (row.bytes > limits.replyBytes) return;
    this.#pending.push(row);
    this.#pendingBytes += row.bytes;
    while (this.#pendingBytes > limits.pendingRepliesBytes) this.#shiftOldest();
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
    while (this.#pending.length > 0 && !this.#closed) {
      const rows = this.#takeBatch();
      if (await this.#trySend(rows)) continue;
      this.#requeue(rows);
      await delay(limits.pollPauseMs);
    }
    this.#running = undefined;
  }

  async #trySend(rows: readonly OutboundRecord[]): Promise<boolean> {
    const settings = { servers: this.#servers, topics: [this.#topic] };
    const producer = (this.#producer ??= IdempotentProducer.create(settings));
    try {
      await within(producer.send(rows), limits.sendMs, 'sending replies');
      return true;
    } catch (error) {
      this.#producer = producer.replace(settings, error);
      return false;
    }
  }

  /** Drops the replies that nobody waits for any more. If one did arrive, its second copy is ignored. */
  #requeue(rows: readonly OutboundRecord[]): void {
    const oldestAwaitedAt = Date.now() - limits.replyRetryMs;
    const stillAwaited = rows.filter(({ timestamp }) => Number(timestamp) > oldestAwaitedAt);
    this.#pending.unshift(...stillAwaited);
    this.#pendingBytes += stillAwaited.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Takes the replies of one send: at least one. */
  #takeBatch(): readonly OutboundRecord[] {
    const rows: OutboundRecord[] = [];
    for (let bytes = 0; this.#pending.length > 0;) {
      bytes += this.#pending[0]?.bytes ?? 0;
      if (rows.length > 0 && bytes > limits.replyBytes) break;
      rows.push(...this.#shiftOldest());
    }
    return rows;
  }

  #shiftOldest(): readonly OutboundRecord[] {
    const first = this.#pending.splice(0, 1);
    for (const { bytes } of first) this.#pendingBytes -= bytes;
    return first;
  }
}
