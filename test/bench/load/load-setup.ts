// The set-up of whole-product benches: the product with sources and webhooks, and the traffic through it.
import { createClient } from '../../../libs/client/index.ts';
import type { Client, NewWebhook } from '../../../libs/client/index.ts';
import type { Answer, BusyPace, SteadyPace } from './client-main.ts';
import { Traffic } from './traffic.ts';

/** A component that emits each event that it receives. */
export const component = `
module.exports = {
  name: 'Bench', version: '0.0.1',
  props: { http: '$.interface.http' },
  run({ body }) { this.$emit(body, { id: body.n, summary: 'n ' + body.n }) },
};`;

/** The product on any engine. */
interface ServedProduct {
  readonly baseUrl: string;
  apiKey(): Promise<string>;
  remove(): Promise<void>;
}

export interface SetupCounts {
  /** The number of sources, which are posted to in turn. */
  readonly sources: number;
  /** The number of webhooks of each source. */
  readonly webhooks: number;
}

export class LoadSetup<Product extends ServedProduct> {
  readonly product: Product;
  readonly api: Client;
  readonly traffic: Traffic;
  /** The deliveries that must have arrived at the end. */
  expected = 0;
  #sourceIds: readonly string[] = [];
  #endpoints: readonly string[] = [];

  private constructor(product: Product, api: Client, traffic: Traffic) {
    this.product = product;
    this.api = api;
    this.traffic = traffic;
  }

  static async start<Product extends ServedProduct>(
    product: Product,
    { sources, webhooks }: SetupCounts = { sources: 1, webhooks: 1 },
  ): Promise<LoadSetup<Product>> {
    const traffic = await Traffic.start();
    const api = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
    const setup = new LoadSetup(product, api, traffic);
    const listeners: NewWebhook[] = [];
    for (let i = 0; i < webhooks; i++)
      listeners.push(await api.createWebhook({ url: `${traffic.sinkUrl}/${i}`, ordered: false }));
    for (let i = 0; i < sources; i++) await setup.#deploy(listeners);
    return setup;
  }

  async #deploy(listeners: readonly NewWebhook[]): Promise<void> {
    const source = await this.api.deploySource({ component_code: component });
    for (const { id } of listeners) await this.api.createSubscription({ emitter_id: source.id, listener_id: id });
    this.#sourceIds = [...this.#sourceIds, source.id];
    this.#endpoints = [...this.#endpoints, source.configured_props.http.endpoint_url];
  }

  get arrivals(): ReadonlyMap<number, number> {
    return this.traffic.arrivals;
  }

  /** The deliveries of all events at all webhooks so far. */
  get deliveries(): number {
    return this.traffic.deliveries;
  }

  /** The source that an event was posted to. */
  sourceOf(n: number): string {
    return this.#sourceIds[n % this.#sourceIds.length] ?? '';
  }

  /** Posts to all sources, or to the first ones; returns every answer. */
  load(pace: SteadyPace | BusyPace, sources = this.#endpoints.length): Promise<readonly Answer[]> {
    return this.traffic.load(this.#endpoints.slice(0, sources), pace);
  }

  async stop(): Promise<void> {
    this.traffic.end();
    await this.product.remove();
  }
}
