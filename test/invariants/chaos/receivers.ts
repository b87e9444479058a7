// The receivers of a chaos run: one server, a path for each webhook, which fails, hangs or flaps as told.
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Order } from './orders.ts';

/** `some`: every twentieth request fails. */
export type Mood = 'well' | 'failing' | 'hanging' | 'closing' | 'some';

const failsEvery = 20;

/** What one path has taken, that is answered with 200. */
export class Taken {
  mood: Mood;
  /** By channel. */
  readonly orders = new Map<number, Set<number>>();
  /** Orders whose first copy came before that of an earlier one in the same line. */
  outOfOrder = 0;
  /** Orders go round so many lines, in each of which order holds. */
  readonly #lines: number;
  /** How many have come, by channel and line. */
  readonly #come = new Map<string, number>();
  #requests = 0;

  constructor(mood: Mood, lines: number) {
    this.mood = mood;
    this.#lines = lines;
  }

  get requests(): number {
    return this.#requests;
  }

  take({ channel, n }: Order): Exclude<Mood, 'some'> {
    this.#requests++;
    const mood = this.mood === 'some' ? (this.#requests % failsEvery === 0 ? 'failing' : 'well') : this.mood;
    if (mood !== 'well') return mood;
    const taken = this.orders.get(channel) ?? new Set();
    this.orders.set(channel, taken);
    if (taken.has(n)) return mood;
    taken.add(n);
    const line = `${channel}/${n % this.#lines}`;
    const come = this.#come.get(line) ?? 0;
    if (n >= (come + 1) * this.#lines) this.outOfOrder++;
    this.#come.set(line, come + 1);
    return mood;
  }
}

export class Receivers {
  readonly #paths = new Map<string, Taken>();
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

  /** A path of its own; `lines`: see `Taken`. */
  add(path: string, mood: Mood, lines = 1): { readonly url: string; readonly taken: Taken } {
    const taken = new Taken(mood, lines);
    this.#paths.set(path, taken);
    return { url: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`, taken };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Who is killed leaves half a body.
    const order = await json(request).catch(() => undefined);
    const taken = this.#paths.get(request.url ?? '');
    if (order === undefined || taken === undefined) return void response.writeHead(404).end();
    switch (taken.take(order as Order)) {
      case 'well':
        return void response.writeHead(200).end('ok');
      case 'failing':
        return void response.writeHead(503).end('no');
      case 'closing':
        return void response.socket?.destroy();
      case 'hanging':
        return;
    }
  }
}
