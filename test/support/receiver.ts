// A webhook receiver that records its requests, and misbehaves as a test sets.
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export type Behaviour = 'ok' | 'hang' | 'error' | 'gone' | 'close' | 'drip';

export interface ReceivedRequest {
  readonly path: string;
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly at: number;
  /** Epoch ms. */
  readonly receivedAt: number;
}

/** Slow enough to exceed a limit of 15 s, fast enough that the socket is never idle. */
const dripEveryMs = 100;

export class Receiver {
  readonly received: ReceivedRequest[] = [];
  /** By path; the others are `ok`. */
  readonly behaviours = new Map<string, Behaviour | ((body: string) => Behaviour)>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#record(request, response));
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** The requests to one path, in order of arrival. */
  requestsTo(path: string): ReceivedRequest[] {
    return this.received.filter((one) => one.path === path);
  }

  /** The number of different messages to one path. */
  countOf(path: string): number {
    return new Set(this.requestsTo(path).map(({ id }) => id)).size;
  }

  /** The parsed bodies of the first copies of each message to one path, in order of arrival. */
  firstCopies<Body>(path: string): Body[] {
    const seen = new Set<string>();
    return this.requestsTo(path).flatMap((one) => {
      if (seen.has(one.id)) return [];
      seen.add(one.id);
      return [JSON.parse(one.body) as Body];
    });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #record(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    const id = headers['webhook-id'] ?? '';
    const body = Buffer.concat(chunks).toString();
    this.received.push({ path, id, headers, body, at: performance.now(), receivedAt: Date.now() });
    const behaviour = this.behaviours.get(path) ?? 'ok';
    respond(typeof behaviour === 'function' ? behaviour(body) : behaviour, response);
  }
}

function respond(behaviour: Behaviour, response: ServerResponse): void {
  switch (behaviour) {
    case 'hang':
      return;
    case 'close':
      response.socket?.destroy();
      return;
    case 'drip': {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), dripEveryMs);
      response.on('close', () => clearInterval(timer));
      return;
    }
    case 'error':
      response.writeHead(500).end('no');
      return;
    case 'gone':
      response.writeHead(410).end('gone');
      return;
    case 'ok':
      response.writeHead(200).end('ok');
  }
}

/** Throws unless the Standard Webhooks library accepts the request, at the time of its arrival: later it is too old. */
export function verify(signingKey: string, received: ReceivedRequest): void {
  const { now } = Date;
  Date.now = () => received.receivedAt;
  try {
    new Webhook(signingKey).verify(received.body, { ...received.headers });
  } finally {
    Date.now = now;
  }
}
