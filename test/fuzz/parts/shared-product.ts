// A product in use, with a source, a webhook and a subscription; made again whenever a case has broken it.
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import type { Product } from '../../support/product.ts';
import { ProductUnderTest } from '../product-under-test.ts';

const component = `
module.exports = {
  name: 'Neighbour', version: '0.0.1', props: { http: '$.interface.http', db: '$.service.db', text: { type: 'string', optional: true } },
  run(event) { this.db.set('n', (this.db.get('n') ?? 0) + 1); this.$emit(event.body ?? null, { id: event.id }); },
};`;

export interface PopulatedProduct {
  readonly product: Product;
  readonly client: Client;
  readonly apiKey: string;
  /** Ids and other texts that have a meaning to the product. */
  readonly known: readonly string[];
  /** The endpoint of the neighbour source. */
  readonly endpoint: string;
}

export class SharedProduct {
  #tested: ProductUnderTest | undefined;
  #populated: PopulatedProduct | undefined;

  async getOrStart(): Promise<PopulatedProduct> {
    this.#tested ??= await ProductUnderTest.open(await ProductUnderTest.newDirectory());
    this.#populated ??= await populate(this.#tested.product);
    return this.#populated;
  }

  /** Throws FuzzFailure if it is not well; the next case then gets a new one. */
  async expectHealthy(): Promise<void> {
    await this.#tested?.expectHealthy().catch(async (error: unknown) => {
      throw await this.discardFailed(error);
    });
  }

  async expectHealthyAfterKill(): Promise<void> {
    await this.#tested?.restart().catch(async (error: unknown) => {
      throw await this.discardFailed(error);
    });
    await this.expectHealthy();
  }

  /** Discards the product; returns the reason. */
  async discardFailed(error: unknown): Promise<unknown> {
    const cause = await this.#tested?.causeOf(error);
    await this.discard();
    return cause ?? error;
  }

  async discard(): Promise<void> {
    const tested = this.#tested;
    this.#tested = undefined;
    this.#populated = undefined;
    await tested?.close();
  }
}

export async function populate(product: Product): Promise<PopulatedProduct> {
  const apiKey = await product.apiKey();
  const client = createClient({ baseUrl: product.baseUrl, apiKey });
  const source = await client.deploySource({ component_code: component });
  const webhook = await client.createWebhook({ url: 'http://127.0.0.1:9/' });
  const subscription = await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
  const endpoint = source.configured_props.http?.endpoint_url ?? '';
  const { id } = await client.me();
  const known = [
    source.id,
    webhook.id,
    subscription.id,
    id,
    endpoint,
    component,
    'http://127.0.0.1:9/',
    'http',
    'text',
  ];
  return { product, client, apiKey, endpoint, known };
}
