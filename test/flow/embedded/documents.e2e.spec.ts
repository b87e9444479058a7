import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../../libs/client/index.ts';
import type { Client, NewSource, Run } from '../../../libs/client/index.ts';
import { schemaFaults } from '../../../libs/stages/gateway/openapi/schema-faults.fake.ts';
import type { Schema, Schemas } from '../../../libs/stages/gateway/openapi/schema-faults.fake.ts';
import { Product } from '../../support/product.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

const read = (path: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

interface Example {
  readonly name: string;
  readonly code: string;
  /** The JSON below the code. */
  readonly props: Readonly<Record<string, unknown>>;
}

const guide = await read('docs/components.md');
const examples = [...guide.matchAll(/^```js\n([^]*?)^```$(?:\s+^```json\n([^]*?)^```$)?/gm)].map(
  ([, code = '', json = '{}']): Example => ({
    name: /name: '([^']+)'/.exec(code)?.[1] ?? code,
    code,
    props: JSON.parse(json) as Example['props'],
  }),
);

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: readonly string[]
) => (...given: readonly string[]) => Promise<unknown>;

/** The service that the examples of the guide call. */
const feed = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([{ id: 1, title: 'One' }]));
});

let product: Product;
let client: Client;
beforeAll(async () => {
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
  product = await Product.start({ env: { EGRESS_ALLOW: '127.0.0.0/8' } });
  client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
}, 60_000);
afterAll(async () => {
  await product.remove();
  await new Promise((resolve) => feed.close(resolve));
});

const withFeed = (props: Example['props']): Example['props'] => {
  const { port } = feed.address() as AddressInfo;
  return JSON.parse(
    JSON.stringify(props).replace('https://feed.example', `http://127.0.0.1:${port}`),
  ) as Example['props'];
};

const requestedRun = (sourceId: string): Promise<Run> =>
  until('the run to be shown', async () =>
    (await client.runs(sourceId)).data.find(({ kind }) => kind === 'http' || kind === 'apphook'),
  );

test('every example in the guide to components is a component with a name of its own', () => {
  expect(examples.length).toBe([...guide.matchAll(/^```js$/gm)].length);
  expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
  expect(examples.filter(({ code }) => !/^(module\.exports =|export default) \{/m.test(code))).toEqual([]);
});

test.each(examples)('the example $name of the guide can be deployed and runs', async ({ code, props }) => {
  const source = await client.deploySource({ component_code: code, configured_props: withFeed(props) });
  expect(source.state).toBe('active');
  const request = { label: 'bug', orders: [{ id: 1, total: 3, paid: true, created_at: 5 }] };
  const body = JSON.stringify({ ...request, type: 'message', ts: '1', text: 'hi' });
  const headers = { 'content-type': 'application/json' };
  const { http, apphook } = source.configured_props as {
    readonly [name: string]: NewSource['configured_props']['http'];
  };
  const endpoint = http ?? apphook;
  const response = await fetch(endpoint?.endpoint_url ?? '', { method: 'POST', headers, body });
  expect(response.ok).toBe(true);
  const run = await requestedRun(source.id);
  expect(run).toMatchObject({ outcome: 'succeeded', error: null, emitted: [expect.stringMatching(/^\d+-\d+$/)] });
});

test('refuses components as the guide says, with the reason', async () => {
  const refused: [string, RegExp][] = [
    ["props: { timer: { type: '$.interface.timer', default: { cron: '61 * * * *' } } }", /Prop "timer".*cron/],
    [
      "props: { github: { type: 'app', app: 'github' } }, methods: { token() { return this.github.$auth.token } }",
      /needs an account of the app github/,
    ],
    ["type: 'action'", /action/],
    ["methods: require('./methods.js')", /methods\.js/],
  ];
  for (const [field, why] of refused) {
    const code = `module.exports = { name: 'No', version: '1', ${field}, run() {} };`;
    await expect(client.deploySource({ component_code: code })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(why),
    });
  }
});

test("the API guide's example of publishing delivers its events to the subscriber", async () => {
  const receiver = await Receiver.start();
  const [, code = ''] = /^## Publishing events\n[^]*?^```js\n([^]*?)^```$/m.exec(await read('docs/api.md')) ?? [];
  const variables = {
    API_KEY: await product.apiKey(),
    BASE_URL: product.baseUrl,
    CUSTOMER_URL: receiver.url('/customer'),
  };
  const run = new AsyncFunction(...Object.keys(variables), `${code}; return published;`);
  expect(await run(...Object.values(variables))).toMatchObject([{ duplicate: true }, { duplicate: false }]);
  await until('both orders to be delivered', () => receiver.firstCopies('/customer').length === 2);
  expect(receiver.firstCopies('/customer')).toMatchObject([{ order: 1 }, { order: 2 }]);
  await receiver.stop();
});

interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly responses: unknown } }>>;
  readonly components: { readonly schemas: Schemas };
}

const openApi = async (): Promise<Document> =>
  (await (await fetch(`${product.baseUrl}/openapi.json`)).json()) as Document;

test.each(['/health', '/health/live'])('the answer of %s matches the OpenAPI document', async (path) => {
  const { paths, components } = await openApi();
  const responses = paths[path]?.get?.responses as Record<number, { content: Record<string, { schema: Schema }> }>;
  const response = await fetch(product.baseUrl + path);
  const schema = responses[response.status]?.content['application/json']?.schema ?? {};
  expect([response.status, schemaFaults(components.schemas, schema, await response.json())]).toEqual([200, []]);
});

/** A method and a path without `/v1`, with `:` in place of any id. */
const routeOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace('/v1/', '/').replaceAll(/\{\w+\}|\b[A-Z_]+\b/g, ':')}`;

test('the API guide lists exactly the routes of version 1 in the OpenAPI document', async () => {
  const { paths } = await openApi();
  const routes = Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => routeOf(method, path)));
  const guide = (await read('docs/api.md')).split('\n## Routes\n')[1]?.split('\n## ')[0] ?? '';
  const named = [...guide.matchAll(/`(GET|POST|PUT|DELETE) (\/[\w/]+)`/g)];
  const documentedRoutes = new Set(named.map(([, method = '', path = '']) => routeOf(method, path)));
  expect([...documentedRoutes].toSorted()).toEqual(routes.toSorted());
});

test('every example answer in the API guide matches the OpenAPI document', async () => {
  const { components } = await openApi();
  const api = await read('docs/api.md');
  const examples = [...api.matchAll(/^### (\w+)\n[^#]*?^```json\n([^]*?)^```$/gm)];
  expect(examples.map(([, name]) => name)).toEqual(
    expect.arrayContaining(['Error', 'CreatedWebhook', 'Subscription', 'Source', 'EventSummary', 'Run', 'Delivery']),
  );
  for (const [, name = '', json = ''] of examples) {
    const schema = components.schemas[name] ?? {};
    expect([name, schemaFaults(components.schemas, schema, JSON.parse(json))]).toEqual([name, []]);
  }
});
