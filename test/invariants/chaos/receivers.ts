// The receivers of a chaos run: one server with a path for each webhook, which fails, hangs or flaps by its mood.
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Order } from './orders.ts';
import { ReceivedOrders } from './received-orders.ts';
import type { Mood, Promises } from './received-orders.ts';

export class Receivers {
  readonly #receivedByPath = new Map<string, ReceivedOrders>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<Receivers> {
    const receivers = new Receivers();
    receivers.#server.listen(0, '127.0.0.1');
    await once(receivers.#server, 'listening');
    return receivers;
  }

  /** Adds a path. */
  add(path: string, mood: Mood, promises: Promises): { readonly url: string; readonly received: ReceivedOrders } {
    const received = new ReceivedOrders(mood, promises);
    this.#receivedByPath.set(path, received);
    return { url: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`, received };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A killed sender leaves half a body.
    const body = await text(request).catch(() => undefined);
    const received = this.#receivedByPath.get(request.url ?? '');
    if (body === undefined || received === undefined) return void response.writeHead(404).end();
    switch (received.receive(JSON.parse(body) as Order, body, request.headers)) {
      case 'well':
        return void response.writeHead(200).end('ok');
      case 'failing':
        return void response.writeHead(503).end('no');
      case 'gone':
        return void response.writeHead(410).end('gone');
      case 'closing':
        return void response.socket?.destroy();
      case 'hanging':
        return;
    }
  }
}
