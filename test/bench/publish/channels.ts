// The product with channels that all deliver to one webhook, and the traffic through it.
import { createClient } from '../../../libs/client/index.ts';
import { Product } from '../../support/product.ts';
import { Traffic } from '../load/traffic.ts';

export interface Channels {
  readonly product: Product;
  readonly traffic: Traffic;
  /** The URLs to publish to, one for each channel. */
  readonly urls: readonly string[];
  readonly apiKey: string;
  /** Stops the product and the traffic. */
  stop(): Promise<void>;
}

export async function startChannels(count: number): Promise<Channels> {
  const [product, traffic] = await Promise.all([Product.start(), Traffic.start()]);
  const apiKey = await product.apiKey();
  const api = createClient({ baseUrl: product.baseUrl, apiKey });
  const { id: listener_id } = await api.createWebhook({ url: `${traffic.sinkUrl}/0`, ordered: false });
  const urls: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await api.deploySource({ kind: 'channel', name: `Channel ${n}` });
    await api.createSubscription({ emitter_id: id, listener_id });
    urls.push(`${product.baseUrl}/v1/sources/${id}/events`);
  }
  const stop = async (): Promise<void> => {
    traffic.end();
    await product.remove();
  };
  return { product, traffic, urls, apiKey, stop };
}
