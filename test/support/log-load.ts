// Makes a product write log lines: sends commands, each of which lifecycle logs.
import { randomBytes } from 'node:crypto';
import { createClient } from '../../libs/client/index.ts';
import type { Product } from './product.ts';

/** Commands in flight, as of an impatient operator's script. */
const concurrency = 16;

/** Renames one webhook `count` times, with a trace that log lines repeat. Returns the ms of the slowest command. */
export async function renameRepeatedly(product: Product, count: number): Promise<number> {
  const apiKey = await product.apiKey();
  const { id } = await createClient({ baseUrl: product.baseUrl, apiKey }).createWebhook({ url: 'http://127.0.0.1:9/' });
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
  };
  let remaining = count;
  let slowestMs = 0;
  const worker = async (): Promise<void> => {
    while (remaining > 0) {
      const body = JSON.stringify({ name: `named ${remaining}` });
      remaining -= 1;
      const startedAt = performance.now();
      const response = await fetch(`${product.baseUrl}/v1/webhooks/${id}`, { method: 'PUT', headers, body });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`a command is answered ${response.status}`);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return slowestMs;
}
