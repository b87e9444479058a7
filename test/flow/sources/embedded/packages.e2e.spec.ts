// Components with npm packages, of several files, or named by a key. Once deployed, they do not need the registry.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../../../../libs/client/index.ts';
import type { Client, NewSource } from '../../../../libs/client/index.ts';
import { LocalRegistry } from '../../../../libs/packages/npm/fixture/local-registry.ts';
import { Product } from '../../../support/product.ts';
import { until } from '../../../support/until.ts';

/** Starting again on a busy machine takes a while. */
const storyMs = 120_000;

let registry: LocalRegistry;
let product: Product;
let client: Client;

beforeAll(async () => {
  registry = await LocalRegistry.start();
  registry.publish({ name: 'acme-math', version: '1.0.0' }, { 'index.js': 'exports.grown = (n) => n * 2;' });
  registry.publish({ name: 'acme-math', version: '2.0.0' }, { 'index.js': 'exports.grown = (n) => n * 3;' });
  const app = `export default { type: 'app', app: 'acme', methods: { grown: (n) => n + 100 } };`;
  const source = `import acme from '../../acme.app.mjs';
    export default { key: 'acme-new-order', name: 'New Order', version: '0.0.1', type: 'source',
      props: { acme, http: '$.interface.http' }, run({ body }) { this.$emit({ n: this.acme.grown(body.n) }); } };`;
  const files = { 'acme.app.mjs': app, 'sources/new-order/new-order.mjs': source };
  registry.publish({ name: '@pipedream/acme', version: '0.1.0' }, files);
  product = await Product.start({ env: { npm_config_registry: registry.url } });
  client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
}, storyMs);
afterAll(async () => {
  await product?.remove();
  await registry?.close();
}, storyMs);

const countingComponent = (imports: string): string => `${imports}
  export default { name: 'Growing', version: '1', props: { http: '$.interface.http' },
    run({ body }) { this.$emit({ n: grown(body.n) }); } };`;

async function send({ configured_props: props }: NewSource, n: number): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(props.http.endpoint_url, { method: 'POST', headers, body: JSON.stringify({ n }) });
  expect(response.status).toBe(200);
}

/** The events of a source, newest first. */
const waitForEvents = (source: NewSource, count: number): Promise<readonly unknown[]> =>
  until('the events', async () => {
    const { data } = await client.eventSummaries(source.id, { expand: 'event' });
    return data.length === count && data.map(({ event }) => event);
  });

test(
  'sources with packages run as before after kill -9, without the registry and without a cache',
  async () => {
    const parts = { 'src/main.mjs': countingComponent("import { grown } from './parts/grown.mjs';") };
    const grown = `import { grown as by } from 'acme-math@^1.0.0'; export const grown = (n) => by(n) + 1;`;
    const sources = await Promise.all([
      client.deploySource({ component_code: countingComponent("import { grown } from 'acme-math@^1.0.0';") }),
      client.deploySource({ component_code: countingComponent("const { grown } = require('acme-math');") }),
      client.deploySource({ files: { ...parts, 'src/parts/grown.mjs': grown }, entry: 'src/main.mjs' }),
      client.deploySource({ key: 'acme-new-order' }),
    ]);
    for (const source of sources) await send(source, 5);
    const first = await Promise.all(sources.map((source) => waitForEvents(source, 1)));
    expect(first).toEqual([[{ n: 10 }], [{ n: 15 }], [{ n: 11 }], [{ n: 105 }]]);

    await product.kill();
    registry.faults = { down: true };
    await rm(join(product.dataDir, 'cache'), { recursive: true, force: true });
    await product.start();
    for (const source of sources) await send(source, 6);
    const second = await Promise.all(sources.map((source) => waitForEvents(source, 2)));
    expect(second.map(([newest]) => newest)).toEqual([{ n: 12 }, { n: 18 }, { n: 13 }, { n: 106 }]);

    const unknown = client.deploySource({
      component_code: countingComponent("import { grown } from 'acme-math@2.0.0';"),
    });
    await expect(unknown).rejects.toMatchObject({ status: 400, message: expect.stringContaining('acme-math@2.0.0') });
  },
  storyMs,
);

test(
  'a saved component keeps the package versions of its save, while its code is deployed with the newest',
  async () => {
    registry.faults = {};
    const component_code = countingComponent("import { grown } from 'acme-math';");
    const { id } = await client.saveComponent({ component_code });
    await product.kill();
    registry.publish({ name: 'acme-math', version: '3.0.0' }, { 'index.js': 'exports.grown = (n) => n * 4;' });
    await product.start();
    const [saved, anew] = [
      await client.deploySource({ component_id: id }),
      await client.deploySource({ component_code }),
    ];
    for (const source of [saved, anew]) await send(source, 5);
    expect([await waitForEvents(saved, 1), await waitForEvents(anew, 1)]).toEqual([[{ n: 15 }], [{ n: 20 }]]);
  },
  storyMs,
);

test(
  'an update can change imported packages, and a component that imports net is refused with the import chain',
  async () => {
    registry.faults = {};
    const source = await client.deploySource({
      component_code: countingComponent("import { grown } from 'acme-math@1';"),
    });
    await client.updateSource(source.id, { component_code: countingComponent("import { grown } from 'acme-math@2';") });
    await send(source, 5);
    expect(await waitForEvents(source, 1)).toEqual([{ n: 15 }]);
    registry.publish(
      { name: 'acme-raw', version: '1.0.0', dependencies: { 'acme-sockets': '^1.0.0' } },
      { 'index.js': "exports.grown = require('acme-sockets');" },
    );
    registry.publish(
      { name: 'acme-sockets', version: '1.0.1' },
      { 'index.js': "const net = require('net'); module.exports = (n) => net.connect(n);" },
    );
    const refused = client.deploySource({ component_code: countingComponent("import { grown } from 'acme-raw';") });
    const message = expect.stringMatching(/component\.js -> acme-raw.* -> acme-sockets.* -> net/);
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'component_invalid', message });
  },
  storyMs,
);
