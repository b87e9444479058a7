// Sends and receives replies over one Kafka topic with short retention, which every process that waits for replies
// follows from its own start on.
import { randomUUID } from 'node:crypto';
import { PortError } from '../../domain/port-error.ts';
import { everyGateway, type Reply } from '../log.ts';
import { Replies } from '../replies.ts';
import type { RawMessage } from './kafkajs/kafka-protocol.ts';
import { Follower } from './reading/follower.ts';
import type { PollerPool } from './reading/poller-pool.ts';
import type { ReplySender } from './producing/reply-sender.ts';

const bounds = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 } as const;
const waitMs = 60_000;

export interface KafkaRepliesOptions {
  readonly topic: string;
  /** Where the topic ended when the log was opened. */
  readonly from: number;
  /** Where it ends now. */
  readonly end: () => Promise<number>;
  readonly sender: ReplySender;
  readonly pollers: PollerPool;
}

export class KafkaReplies {
  readonly #options: KafkaRepliesOptions;
  readonly #receivers = new Replies();
  #follower: Follower | undefined;
  #closed = false;

  constructor(options: KafkaRepliesOptions) {
    this.#options = options;
  }

  /** Never throws, never waits; the reply is lost if Kafka cannot be reached for long. */
  send(gateway: string, reply: Reply): void {
    if (this.#closed) return;
    const at = Date.now();
    const value = JSON.stringify(reply);
    this.#options.sender.send({
      topic: this.#options.topic,
      partition: 0,
      key: gateway,
      value,
      headers: {
        'content-type': 'application/json',
        ce_specversion: '1.0',
        ce_id: randomUUID(),
        ce_type: reply.type,
        ce_source: '/wellspring/replies',
        ce_time: new Date(at).toISOString(),
      },
      timestamp: String(at),
      bytes: Buffer.byteLength(value),
    });
  }

  on(gateway: string, receive: (reply: Reply) => void): () => void {
    if (this.#follower === undefined) {
      this.#follower = this.#createFollower(this.#options.from);
      void this.#follow();
    }
    return this.#receivers.on(gateway, receive);
  }

  close(): void {
    this.#closed = true;
    this.#follower?.close();
    this.#receivers.clear();
  }

  /** Continues through outages: after a failure the follower keeps its position and pauses by itself. */
  async #follow(): Promise<void> {
    while (!this.#closed) {
      try {
        const pages = (await this.#follower?.next(waitMs)) ?? [];
        for (const message of pages.flatMap(({ messages }) => messages)) this.#dispatch(message);
      } catch (error) {
        if (error instanceof PortError && error.code === 'corrupt')
          await this.#restartFollower().catch(() => undefined);
      }
    }
  }

  /**
   * A broker has lost records that were already read: new replies would come at offsets that the follower has passed.
   */
  async #restartFollower(): Promise<void> {
    const end = await this.#options.end();
    if (this.#closed) return;
    this.#follower?.close();
    this.#follower = this.#createFollower(end);
  }

  #createFollower(offset: number): Follower {
    const { topic, pollers } = this.#options;
    return new Follower(pollers, [{ topic, partition: 0, offset }], bounds);
  }

  #dispatch({ key, value }: RawMessage): void {
    const gateway = key?.toString() ?? everyGateway;
    // Most are for other processes, and some have megabytes.
    if (!this.#receivers.hasReceiver(gateway)) return;
    const reply = parseReply(value);
    if (reply !== undefined) this.#receivers.send(gateway, reply);
  }
}

/** A message that is not a reply is ignored. */
function parseReply(value: Buffer | null): Reply | undefined {
  try {
    return value === null ? undefined : (JSON.parse(value.toString()) as Reply);
  } catch {
    return undefined;
  }
}
