// Sends replies: one send at a time, whatever waits in the next one, the oldest dropped when too much waits.
import { within } from '../client/within.ts';
import type { Outbound } from '../cloud-event.ts';
import { limits } from '../limits.ts';
import type { KafkaServers } from '../servers.ts';
import { IdempotentProducer } from './idempotent-producer.ts';

/** A second or so of a busy runtime; a gateway that waits longer has given up. */
const waitingMax = 10_000;
/** In one send. */
const sendMax = 1_000;

export class ReplySender {
  readonly #servers: KafkaServers;
  readonly #waiting: Outbound[] = [];
  #producer: IdempotentProducer | undefined;
  #running: Promise<void> | undefined;

  constructor(servers: KafkaServers) {
    this.#servers = servers;
  }

  send(row: Outbound): void {
    if (row.bytes > limits.replyBytes) return;
    this.#waiting.push(row);
    if (this.#waiting.length > waitingMax) this.#waiting.shift();
    this.#running ??= this.#run();
  }

  /** After what waits. */
  async close(): Promise<void> {
    await this.#running;
    this.#producer?.link.sever();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#sendSome(this.#waiting.splice(0, sendMax));
    this.#running = undefined;
  }

  async #sendSome(rows: readonly Outbound[]): Promise<void> {
    const producer = (this.#producer ??= IdempotentProducer.to(this.#servers));
    try {
      await within(limits.sendMs, 'sending replies', producer.send(rows));
    } catch {
      producer.link.sever();
      this.#producer = undefined;
    }
  }
}
