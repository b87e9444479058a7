import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../../libs/client/index.ts';
import { Product } from '../support/product.ts';
import { Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

let product: Product;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  product = await Product.start();
}, 60_000);

afterAll(async () => {
  await product.remove();
  await receiver.stop();
});

const client = async () => createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });

test('it says where it is and where the first API key is, and never the key', async () => {
  expect(product.output).toContain(product.baseUrl);
  expect(product.output).toContain(join(product.dataDir, 'api-key'));
  expect(product.output).not.toContain(await product.apiKey());
  for (const secret of ['api-key', 'master-key']) {
    expect((await stat(join(product.dataDir, secret))).mode & 0o777).toBe(0o600);
  }
});

test('a second start on the same data directory is refused with the reason, and the first goes on', async () => {
  const second = await Product.start({ dataDir: product.dataDir }).catch((error: Error) => error);
  expect(second).toBeInstanceOf(Error);
  expect((second as Error).message).toMatch(/ended with 1/);
  expect((second as Error).message).toContain(product.dataDir);
  expect((await (await client()).me()).username).toBe('owner');
});

test('Ctrl-C drains and ends with 0 in under 5 s, also while a receiver hangs; started again everything is still there', async () => {
  const api = await client();
  const code = await readFile(new URL('./components/ticker.js', import.meta.url), 'utf8');
  const source = await api.deploySource({ component_code: code, name: 'Kept' });
  const webhook = await api.createWebhook({ url: receiver.url('/hangs'), retry_schedule: [1, 1, 1, 1, 1] });
  await api.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
  receiver.behaviours.set('/hangs', 'hang');
  await fetch(source.configured_props.http?.endpoint_url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"n":1}',
  });
  await until('the attempt to hang', () => receiver.at('/hangs').length === 1);
  const key = await product.apiKey();

  const startedAt = performance.now();
  expect(await product.stop()).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(5_000);

  receiver.behaviours.set('/hangs', 'ok');
  await product.start();
  expect(await product.apiKey()).toBe(key);
  expect(await api.source(source.id)).toMatchObject({ name: 'Kept', state: 'active' });
  await until('the event to be delivered after all', () => receiver.at('/hangs').length === 2);
  expect(new Set(receiver.at('/hangs').map(({ id }) => id)).size).toBe(1);
}, 60_000);

test('a wrong master key refuses to start and says which one is wanted', async () => {
  await product.stop();
  const file = join(product.dataDir, 'master-key');
  const right = await readFile(file);
  await writeFile(file, Buffer.alloc(32, 7).toString('base64'));
  const child = product.spawn();
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(1);
  expect(product.output).toMatch(/master key does not open .* MASTER_KEY/s);
  await writeFile(file, right);
  await product.start();
}, 60_000);

test('a log that is not ours is refused and left as it is', async () => {
  await product.stop();
  const file = join(product.dataDir, 'log.sqlite');
  const ours = await readFile(file);
  await writeFile(file, 'something else entirely, longer than a header of SQLite'.repeat(40));
  const child = product.spawn();
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(1);
  expect(product.output).toContain('log.sqlite');
  expect((await readFile(file, 'utf8')).startsWith('something else')).toBe(true);
  await writeFile(file, ours);
  await product.start();
}, 60_000);
