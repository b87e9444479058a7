// Sends replies: one send at a time, whatever waits in the next one, the oldest dropped when too much waits.
import type { Producer } from 'kafkajs';
import { Link } from '../client/link.ts';
import { within } from '../client/within.ts';
import type { Outbound } from '../cloud-event.ts';
import { limits } from '../limits.ts';
import type { KafkaServers } from '../servers.ts';
import { sendsOf } from './batches.ts';
import { explicitPartitions, send } from './sending.ts';

/** A second or so of a busy runtime; a gateway that waits longer has given up. */
const waitingMax = 10_000;
/** In one send. */
const sendMax = 1_000;

interface Connected {
  readonly link: Link;
  readonly producer: Producer;
}

export class ReplySender {
  readonly #servers: KafkaServers;
  readonly #waiting: Outbound[] = [];
  #connected: Connected | undefined;
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
    this.#connected?.link.sever();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#sendSome(this.#waiting.splice(0, sendMax));
    this.#running = undefined;
  }

  async #sendSome(rows: readonly Outbound[]): Promise<void> {
    const { link, producer } = (this.#connected ??= this.#connect());
    try {
      await within(limits.sendMs, 'sending replies', sendAll(producer, rows));
    } catch {
      link.sever();
      this.#connected = undefined;
    }
  }

  #connect(): Connected {
    const link = new Link(this.#servers);
    const settings = { maxInFlightRequests: 1, allowAutoTopicCreation: false, createPartitioner: explicitPartitions };
    return { link, producer: link.kafka.producer(settings) };
  }
}

async function sendAll(producer: Producer, rows: readonly Outbound[]): Promise<void> {
  await producer.connect();
  const offsets: number[] = [];
  for (const numbered of sendsOf(rows, limits.replyBytes)) await send(producer, numbered, offsets);
}
