import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import { freePortPair } from '../../support/processes/free-port.ts';
import { Product } from '../../support/product.ts';
import { until } from '../../support/until.ts';

/** Ten processes on a busy machine. */
const beginMs = 120_000;
/** The time in which all other gateways refuse what one gateway has deleted. */
const everywhereMs = 1_000;
/** Enough for both runtimes to have partitions with sources, whichever takes which. */
const sourceCount = 6;
const requestsPerSource = 7;
const rounds = 5;

/** Answers with its name and the body of the request. */
const echo = `export default {
  name: 'Echo', version: '0.0.1',
  props: { http: { type: '$.interface.http', customResponse: true }, me: 'string' },
  async run({ body }) { this.http.respond({ status: 201, body: { me: this.me, asked: body } }); },
};`;

/** One of the product's gateways, as a client sees it. */
interface Gateway {
  readonly client: Client;
  readonly baseUrl: string;
}

let product: Product;
let gateways: readonly [Gateway, Gateway];
/** The gateway that gets the commands, and the one that is asked afterwards. */
let directions: readonly (readonly [Gateway, Gateway])[];

beforeAll(async () => {
  const scale = ['lifecycle', 'runtime', 'delivery', 'projection', 'gateway'].map((app) => `${app}=2`);
  product = await Product.start({ port: await freePortPair(), env: { SCALE: scale.join(',') } });
  const second = `http://127.0.0.1:${product.port + 1}`;
  await until(
    'the second gateway',
    () =>
      fetch(`${second}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    beginMs / 2,
  );
  const apiKey = await product.apiKey();
  const gatewayAt = (baseUrl: string): Gateway => ({ baseUrl, client: createClient({ baseUrl, apiKey }) });
  gateways = [gatewayAt(product.baseUrl), gatewayAt(second)];
  directions = [gateways, [gateways[1], gateways[0]]];
}, beginMs);

afterAll(() => product?.remove(), beginMs);

const deploy = ({ client }: Gateway, name: string) =>
  client.deploySource({ component_code: echo, configured_props: { me: name } });

/** The endpoint of a source as this gateway shows it. */
async function endpointAt({ client, baseUrl }: Gateway, sourceId: string): Promise<string> {
  const { endpoint_url: url = '' } = (await client.source(sourceId)).configured_props['http'] ?? {};
  expect(url.startsWith(`${baseUrl}/`)).toBe(true);
  return url;
}

async function postNumber(endpoint: string, number: number): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ number }) });
  return { status: response.status, body: await response.json() };
}

test('every caller gets its own answer, whichever gateway it asks and whichever runtime runs the source', async () => {
  const names = Array.from({ length: sourceCount }, (_, i) => `echo ${i}`);
  const sources = await Promise.all(names.map((me, i) => deploy(directions[i % 2]?.[0] ?? gateways[0], me)));
  const responses: Promise<unknown>[] = [];
  const expected: unknown[] = [];
  for (const gateway of gateways)
    for (const [i, { id }] of sources.entries()) {
      const endpoint = await endpointAt(gateway, id);
      for (let n = 0; n < requestsPerSource; n++) {
        const number = responses.length;
        responses.push(postNumber(endpoint, number));
        expected.push({ status: 201, body: { me: names[i], asked: { number } } });
      }
    }
  expect(await Promise.all(responses)).toEqual(expected);
}, 60_000);

test('what one gateway has acknowledged can be read from the other immediately', async () => {
  for (let round = 0; round < rounds; round++)
    for (const [writer, reader] of directions) {
      const webhook = await writer.client.createWebhook({ url: 'http://127.0.0.1:9/', name: `round ${round}` });
      expect(await reader.client.webhook(webhook.id)).toMatchObject({ id: webhook.id, name: `round ${round}` });
      expect((await reader.client.webhooks({ limit: 1 })).data.map(({ id }) => id)).toEqual([webhook.id]);
      await writer.client.deleteWebhook(webhook.id);
      await expect(reader.client.webhook(webhook.id)).rejects.toMatchObject({ status: 404 });
    }
}, 60_000);

test('fifty concurrent requests with one Idempotency-Key to two gateways create one webhook', async () => {
  const again = { idempotencyKey: 'once' };
  const make = (n: number) => gateways[n % 2 === 0 ? 0 : 1].client.createWebhook({ url: 'http://127.0.0.1:9/' }, again);
  const webhooks = await Promise.all(Array.from({ length: 50 }, (_, n) => make(n)));
  expect(new Set(webhooks.map(({ id, signing_key: signingKey }) => `${id} ${signingKey}`)).size).toBe(1);
  for (const { client } of gateways)
    expect((await client.webhooks()).data.map(({ id }) => id)).toEqual([webhooks[0]?.id]);
  await gateways[0].client.deleteWebhook(webhooks[0]?.id ?? '');
}, 60_000);

test('a source deployed by one gateway answers at the other at once, and once deleted gets 404 within 1 s', async () => {
  for (const [told, other] of directions) {
    const { id } = await deploy(told, 'short');
    const endpoint = await endpointAt(other, id);
    expect(await postNumber(endpoint, 1)).toEqual({ status: 201, body: { me: 'short', asked: { number: 1 } } });
    await told.client.deleteSource(id);
    const isRefused = async () => (await fetch(endpoint, { method: 'POST' })).status === 404;
    await until('the other gateway to know of no such endpoint', isRefused, everywhereMs);
    await expect(other.client.source(id)).rejects.toMatchObject({ status: 404 });
  }
}, 60_000);

test('a rebuild is refused while projections share the log, and asks nobody who has the port of a former projection', async () => {
  const asked: (string | undefined)[] = [];
  const stranger = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.authorization ?? 'without a key'}`);
    response.end('{}');
  });
  await once(stranger.listen(0, '127.0.0.1'), 'listening');
  const { port } = stranger.address() as AddressInfo;
  await writeFile(join(product.dataDir, 'projection-url'), `http://127.0.0.1:${port}`);
  const { code, output } = await product.rebuild();
  stranger.close();
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/has \d of 4 partitions/) });
  expect(asked).toEqual(['GET without a key']);
}, 60_000);
