// What the whole-product benches are played by: the product, a sink and a load client, each in processes of their own.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../../libs/client/index.ts';
import { Product } from '../../support/product.ts';
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

export class Cast {
  readonly product: Product;
  readonly arrivals = new Map<number, number>();
  readonly #endpoint: string;
  readonly #sink: ChildProcess;
  readonly #client: ChildProcess;
  #sent = 0;

  private constructor(product: Product, endpoint: string, sink: ChildProcess, client: ChildProcess) {
    this.product = product;
    this.#endpoint = endpoint;
    this.#sink = sink;
    this.#client = client;
    sink.on('message', ({ arrivals }: { arrivals: Arrival[] }) => {
      for (const [n, at] of arrivals) if (!this.arrivals.has(n)) this.arrivals.set(n, at);
    });
  }

  static async assemble(): Promise<Cast> {
    const sink = forked('stamping-sink');
    const [{ port }] = (await once(sink, 'message')) as [{ port: number }];
    const product = await Product.start();
    const api = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
    const source = await api.deploySource({ component_code: component });
    const webhook = await api.createWebhook({ url: `http://127.0.0.1:${port}/`, ordered: false });
    await api.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
    return new Cast(product, source.configured_props.http.endpoint_url, sink, forked('steady-client'));
  }

  /** Posts at a steady rate; gives every answer. */
  async load(perSecond: number, seconds: number): Promise<Answer[]> {
    const load: Load = { url: this.#endpoint, perSecond, seconds, bytes: padBytes, from: this.#sent };
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
