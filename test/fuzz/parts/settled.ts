// A product in use, with a source, a webhook and a subscription; made again whenever a case has broken it.
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import type { Product } from '../../support/product.ts';
import { House } from '../house.ts';

const component = `
module.exports = {
  name: 'Neighbour', version: '0.0.1', props: { http: '$.interface.http', db: '$.service.db', text: { type: 'string', optional: true } },
  run(event) { this.db.set('n', (this.db.get('n') ?? 0) + 1); this.$emit(event.body ?? null, { id: event.id }); },
};`;

export interface Inhabited {
  readonly product: Product;
  readonly client: Client;
  readonly apiKey: string;
  /** Ids and other texts that have a meaning to the product. */
  readonly known: readonly string[];
  /** The endpoint of the neighbour source. */
  readonly endpoint: string;
}

export class Settled {
  #house: House | undefined;
  #inhabited: Inhabited | undefined;

  async there(): Promise<Inhabited> {
    this.#house ??= await House.open(await House.newDirectory());
    this.#inhabited ??= await inhabit(this.#house.product);
    return this.#inhabited;
  }

  /** Throws Broken if it is not well; the next case then gets a new one. */
  async expectWell(): Promise<void> {
    await this.#house?.expectWell().catch(async (error: unknown) => {
      throw await this.broken(error);
    });
  }

  async expectWellAfterKill(): Promise<void> {
    await this.#house?.restart().catch(async (error: unknown) => {
      throw await this.broken(error);
    });
    await this.expectWell();
  }

  /** Discards the product; returns the reason. */
  async broken(error: unknown): Promise<unknown> {
    const cause = await this.#house?.blame(error);
    await this.leave();
    return cause ?? error;
  }

  async leave(): Promise<void> {
    const house = this.#house;
    this.#house = undefined;
    this.#inhabited = undefined;
    await house?.close();
  }
}

export async function inhabit(product: Product): Promise<Inhabited> {
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
