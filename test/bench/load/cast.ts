// What the whole-product benches are played by: the product, a sink and a load client, each in processes of their own.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../../libs/client/index.ts';
import type { Client, NewWebhook } from '../../../libs/client/index.ts';
import type { Answer, Load } from './steady-client.ts';
import type { Arrival } from './stamping-sink.ts';

const component = `
module.exports = {
  name: 'Bench', version: '0.0.1',
  props: { http: '$.interface.http' },
  run({ body }) { this.$emit(body, { id: body.n, summary: 'n ' + body.n }) },
};`;

/** Posts larger than this grow the events past the 1 KB that the figures are about. */
const padBytes = 1_000;

/** Whatever engine it is on. */
interface Served {
  readonly baseUrl: string;
  apiKey(): Promise<string>;
  remove(): Promise<void>;
}

export interface Parts {
  /** Each posted to in turn. */
  readonly sources: number;
  /** For each source. */
  readonly webhooks: number;
}

export class Cast<Product extends Served> {
  readonly product: Product;
  readonly api: Client;
  /** The first of each event. */
  readonly arrivals = new Map<number, number>();
  /** Of all events at all webhooks. */
  deliveries = 0;
  /** As many as there must be in the end. */
  expected = 0;
  #sourceIds: readonly string[] = [];
  #endpoints: readonly string[] = [];
  readonly #sink: ChildProcess;
  readonly #client = forked('steady-client');
  #sent = 0;

  private constructor(product: Product, api: Client, sink: ChildProcess) {
    this.product = product;
    this.api = api;
    this.#sink = sink;
    sink.on('message', ({ arrivals }: { arrivals: Arrival[] }) => {
      this.deliveries += arrivals.length;
      for (const [n, at] of arrivals) if (!this.arrivals.has(n)) this.arrivals.set(n, at);
    });
  }

  static async assemble<Product extends Served>(
    product: Product,
    { sources, webhooks }: Parts = { sources: 1, webhooks: 1 },
  ): Promise<Cast<Product>> {
    const sink = forked('stamping-sink');
    const [{ port }] = (await once(sink, 'message')) as [{ port: number }];
    const api = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
    const cast = new Cast(product, api, sink);
    const listeners: NewWebhook[] = [];
    for (let i = 0; i < webhooks; i++)
      listeners.push(await api.createWebhook({ url: `http://127.0.0.1:${port}/${i}`, ordered: false }));
    for (let i = 0; i < sources; i++) await cast.#deploy(listeners);
    return cast;
  }

  async #deploy(listeners: readonly NewWebhook[]): Promise<void> {
    const source = await this.api.deploySource({ component_code: component });
    for (const { id } of listeners) await this.api.createSubscription({ emitter_id: source.id, listener_id: id });
    this.#sourceIds = [...this.#sourceIds, source.id];
    this.#endpoints = [...this.#endpoints, source.configured_props.http.endpoint_url];
  }

  /** The source that an event was posted to. */
  sourceOf(n: number): string {
    return this.#sourceIds[n % this.#sourceIds.length] ?? '';
  }

  /** Posts at a steady rate; gives every answer. */
  async load(perSecond: number, seconds: number): Promise<Answer[]> {
    const load: Load = { urls: this.#endpoints, perSecond, seconds, bytes: padBytes, from: this.#sent };
    this.#sent += perSecond * seconds;
    this.#client.send(load);
    const [{ answers }] = (await once(this.#client, 'message')) as [{ answers: Answer[] }];
    return answers;
  }

  async dismiss(): Promise<void> {
    this.#sink.kill();
    this.#client.kill();
    await this.product.remove();
  }
}

function forked(name: string): ChildProcess {
  return fork(fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url)));
}
