// One kafkajs client with its own connections: it counts the requests written to them, and can be cut off at once.
import { connect as dialPlain, isIP, type Socket } from 'node:net';
import { connect as dialTls } from 'node:tls';
import kafkajs, { type Kafka, type KafkaConfig, type SASLOptions } from 'kafkajs';
import { limits } from '../../kafka-limits.ts';
import type { Dial, DialTarget, KafkaServers } from '../../servers.ts';
import { ResponseWatch, responsiveFirst } from '../silent-brokers.ts';
import '../repairs/repair.ts';

const { logLevel } = kafkajs;

/** Api keys of the Kafka requests whose effect cannot be undone. */
export const apiKeys = { produce: 0, endTransaction: 26 } as const;
/** Where a request has its api key: after the four bytes of its length. */
export const apiKeyAt = 4;
const keepAliveMs = 60_000;

/**
 * Retries of kafkajs itself: connecting, metadata, finding a coordinator. An election takes tens of milliseconds, and
 * by default kafkajs first waits 300 ms. Twelve attempts from 1 ms to 1 s take 3 s in all.
 */
const retry = { initialRetryTime: 1, maxRetryTime: 1_000, multiplier: 2, factor: 0.2, retries: 12 } as const;

export class Link {
  readonly kafka: Kafka;
  readonly #dial: Dial;
  readonly #sockets = new Map<Socket, ResponseWatch>();
  readonly #writtenCounts = new Map<number, number>();
  readonly #retry: { -readonly [Name in keyof typeof retry]: number } = { ...retry };
  #severed = false;

  constructor(servers: KafkaServers) {
    this.#dial = servers.dial ?? dial;
    const config: KafkaConfig = {
      clientId: servers.clientId,
      brokers: responsiveFirst(servers.brokers),
      connectionTimeout: limits.connectMs,
      requestTimeout: limits.requestMs,
      retry: this.#retry,
      logLevel: logLevel.NOTHING,
      socketFactory: (target) => this.#connect(target),
    };
    if (servers.ssl !== undefined) config.ssl = servers.ssl;
    if (servers.sasl !== undefined) config.sasl = servers.sasl as SASLOptions;
    this.kafka = new kafkajs.Kafka(config);
  }

  get isSevered(): boolean {
    return this.#severed;
  }

  /**
   * How many requests of this kind were written to a connection: one that was not written certainly had no effect.
   */
  writtenCount(apiKey: number): number {
    return this.#writtenCounts.get(apiKey) ?? 0;
  }

  /**
   * Cuts every connection and makes no new one: whatever still retries in kafkajs fails, without effect. Its loops for
   * the cluster do not start again; those for connecting and metadata may run 3 s more.
   */
  sever(): void {
    this.#severed = true;
    this.#retry.retries = 0;
    for (const [socket, watch] of this.#sockets) {
      watch.end();
      socket.destroy(new Error('this client was ended'));
    }
  }

  #connect(target: DialTarget): Socket {
    if (this.#severed) throw new Error('this client was ended');
    const socket = this.#dial(target);
    const watch = new ResponseWatch(`${target.host}:${target.port}`);
    this.#sockets.set(socket, watch);
    socket.once('connect', () => watch.markResponse());
    socket.on('data', () => watch.markResponse());
    // kafkajs itself closes a connection that does not answer, at about the time at which this client is dropped.
    socket.once('close', () => {
      watch.end();
      this.#sockets.delete(socket);
    });
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
    socket.write = ((...args: unknown[]) => {
      watch.markRequest();
      // A write to an ended connection goes nowhere.
      if (Buffer.isBuffer(args[0]) && !socket.destroyed) this.#countRequest(args[0]);
      return write(...args);
    }) as typeof socket.write;
    return socket;
  }

  #countRequest(request: Buffer): void {
    if (request.length < apiKeyAt + 2) return;
    const apiKey = request.readInt16BE(apiKeyAt);
    this.#writtenCounts.set(apiKey, this.writtenCount(apiKey) + 1);
  }
}

function dial({ host, port, ssl, onConnect }: DialTarget): Socket {
  const socket =
    ssl === undefined || ssl === null || ssl === false
      ? dialPlain({ host, port }, onConnect)
      : dialTls({ host, port, ...(isIP(host) === 0 && { servername: host }), ...(ssl !== true && ssl) }, onConnect);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, keepAliveMs);
  return socket;
}
