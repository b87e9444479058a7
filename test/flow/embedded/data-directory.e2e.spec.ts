// The data directory of the embedded engine is for one process at a time, and for a log of this product only.
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { Product } from '../../support/product.ts';
import { until } from '../../support/until.ts';

const fixture = withFixture();

test('a second process on the same data directory ends and names it, and the first continues', async () => {
  const { product } = fixture;
  const second = await Product.start({ dataDir: product.dataDir }).catch((error: Error) => error);
  expect(second).toBeInstanceOf(Error);
  expect((second as Error).message).toMatch(/ended with 1/);
  expect((second as Error).message).toContain(product.dataDir);
  const client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
  expect((await client.me()).username).toBe('owner');
});

test('refuses to start with a file that is not a log, and leaves it unchanged', async () => {
  const { product } = fixture;
  await product.stop();
  const file = join(product.dataDir, 'log.sqlite');
  const ours = await readFile(file);
  await writeFile(file, 'something else entirely, longer than a header of SQLite'.repeat(40));
  product.spawn();
  expect(await product.waitForExit()).toBe(1);
  expect(product.output).toContain('log.sqlite');
  expect((await readFile(file, 'utf8')).startsWith('something else')).toBe(true);
  await writeFile(file, ours);
  await product.start();
}, 60_000);

test('refuses to start when the master key is gone, and makes no other one in its place', async () => {
  const { product } = fixture;
  await product.stop();
  const file = join(product.dataDir, 'master-key');
  const ours = await readFile(file);
  await rm(file);
  product.spawn();
  expect(await product.waitForExit()).toBe(1);
  expect(product.output).toContain(`${file} is missing`);
  await expect(stat(file)).rejects.toThrow('ENOENT');
  await writeFile(file, ours, { mode: 0o600 });
  await product.start();
}, 60_000);

test('refuses to start when the log is gone, instead of beginning an empty one', async () => {
  const { product } = fixture;
  await product.stop();
  const file = join(product.dataDir, 'log.sqlite');
  await rename(file, `${file}.away`);
  product.spawn();
  expect(await product.waitForExit()).toBe(1);
  expect(product.output).toContain(`the log ${file} that it was made from is not`);
  await expect(stat(file)).rejects.toThrow('ENOENT');
  await rename(`${file}.away`, file);
  await product.start();
}, 60_000);

test('while the views are filled from the log again, reads are refused and never show a part', async () => {
  const { product } = fixture;
  const client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
  const { id } = await client.deploySource({ kind: 'channel', name: 'Kept' });
  const events = Array.from({ length: 1_000 }, (_, n) => ({ event: { n } }));
  for (let request = 0; request < 5; request++) await client.publish(id, events);
  await product.stop();
  const names = await readdir(product.dataDir);
  for (const name of names) if (name.startsWith('views.')) await rm(join(product.dataDir, name));
  await product.start();
  await client.publish(id, [{ event: { n: 'last' } }]);
  const totals = new Set<number>();
  await until('all of them', async () => {
    const [sources, shown] = [await countOf(() => client.sources()), await countOf(() => client.eventSummaries(id))];
    expect([undefined, 1]).toContain(sources);
    if (shown !== undefined) totals.add(shown);
    return totals.has(events.length * 5 + 1);
  });
  // What came after the start may not be shown yet.
  expect(Math.min(...totals)).toBeGreaterThanOrEqual(events.length * 5);
}, 60_000);

/** Undefined: refused for now. */
async function countOf(list: () => Promise<{ readonly page_info: { readonly total_count: number } }>) {
  try {
    return (await list()).page_info.total_count;
  } catch (error) {
    expect(error).toMatchObject({ status: 503, code: 'unavailable' });
    return undefined;
  }
}
