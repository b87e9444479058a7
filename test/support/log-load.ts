// Makes a product write its log: commands, each of which lifecycle tells of.
import { createClient } from '../../libs/client/index.ts';
import type { Product } from './product.ts';

/** As many as an impatient operator's script sends. */
const atOnce = 16;

/** Gives how long the slowest of them took. */
export async function command(product: Product, count: number): Promise<number> {
  const client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
  let left = count;
  let slowestMs = 0;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const startedAt = performance.now();
      await client.createWebhook({ url: 'http://127.0.0.1:9/' });
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return slowestMs;
}
