import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../../libs/client/index.ts';
import type { Client, NewSource, Run } from '../../../libs/client/index.ts';
import { Product } from '../../support/product.ts';
import { tlsCertificate, tlsHost, tlsKey } from '../../support/upstream/certificate.ts';
import { until } from '../../support/until.ts';

interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
}

const token = 'a-token-that-nobody-sees';
const items = [1, 2, 3].map((id) => ({ id, title: `Item ${id}` }));
const seenRequests: SeenRequest[] = [];
const files: Record<string, { status?: number; headers?: Record<string, string>; body?: string | Buffer }> = {};
let hooks = 0;

/** A feed of the items after a given one, and a service where webhooks can be registered. */
function respond({ method = '', url = '', headers }: IncomingMessage, response: ServerResponse): void {
  seenRequests.push({ method, url, authorization: headers.authorization });
  const { pathname, searchParams } = new URL(url, 'http://a');
  const file = files[pathname];
  if (file !== undefined) response.writeHead(file.status ?? 200, file.headers).end(file.body);
  else if (pathname === '/away') response.writeHead(302, { location: 'http://10.1.2.3/' }).end();
  else if (pathname === '/hooks' && method === 'POST') response.writeHead(201).end(JSON.stringify({ id: ++hooks }));
  else if (method === 'DELETE') response.writeHead(204).end();
  else response.end(JSON.stringify(items.filter(({ id }) => id > Number(searchParams.get('after')))));
}

const poller = `module.exports = {
  name: 'Poller', version: '0.1.0', dedupe: 'greatest',
  props: { http: '$.interface.http', db: '$.service.db', origin: 'string', token: { type: 'string', secret: true } },
  methods: {
    ask(path, method = 'GET') {
      return fetch(this.origin + path, { method, headers: { authorization: 'Bearer ' + this.token } });
    },
  },
  hooks: {
    async activate() { this.db.set('hook', (await (await this.ask('/hooks', 'POST')).json()).id); },
    async deactivate() { await this.ask('/hooks/' + this.db.get('hook'), 'DELETE'); },
  },
  async run({ query }) {
    if (query.path) return void (await this.ask(query.path));
    if (query.url) return void (await fetch(query.url));
    const after = this.db.get('after') ?? 0;
    for (const item of await (await this.ask('/items?after=' + after)).json()) {
      this.$emit(item, { id: item.id });
      this.db.set('after', item.id);
    }
  },
};`;

const upstream = createServer(respond);
const tlsUpstream = createTlsServer({ key: tlsKey, cert: tlsCertificate }, respond);
let certDir: string;
let product: Product;
let client: Client;
let source: NewSource;
let endpoint: string;
let host: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => tlsUpstream.listen(0, '127.0.0.1', resolve));
  const target = `127.0.0.1:${(tlsUpstream.address() as AddressInfo).port}`;
  certDir = await mkdtemp(join(tmpdir(), 'wellspring-tls-'));
  const certFile = join(certDir, 'cert.pem');
  await writeFile(certFile, tlsCertificate);
  const map = `${tlsHost}=${target},stranger.example=${target}`;
  product = await Product.start({
    env: { EGRESS_ALLOW: '127.0.0.0/8', EGRESS_MAP: map, NODE_EXTRA_CA_CERTS: certFile },
  });
  client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
  const configured_props = { origin: `http://${host}`, token };
  source = await client.deploySource({ component_code: poller, configured_props });
  endpoint = source.configured_props['http']?.endpoint_url ?? '';
}, 120_000);
afterAll(async () => {
  await product.remove();
  for (const server of [upstream, tlsUpstream]) await new Promise((resolve) => server.close(resolve));
  await rm(certDir, { recursive: true });
});

const runsOfKind = async (kind: string): Promise<readonly Run[]> =>
  (await client.runs(source.id)).data.filter((run) => run.kind === kind);

/** Waits for that many runs, and returns the newest. */
const waitForRun = (count: number): Promise<Run> =>
  until(`run ${count}`, async () => {
    const found = await runsOfKind('http');
    return found.length === count && found[0];
  });

test('a deployed source registers with a service in its activate hook', async () => {
  expect(seenRequests).toEqual([{ method: 'POST', url: '/hooks', authorization: `Bearer ${token}` }]);
  const [activate] = await until('the hook to be told', async () => {
    const found = await runsOfKind('activate');
    return found.length > 0 && found;
  });
  expect(activate?.requests).toEqual([{ method: 'POST', host, status: 201, duration_ms: expect.any(Number) }]);
});

test('a source polls a feed from where it stopped, and the run records its requests', async () => {
  await fetch(endpoint, { method: 'POST' });
  const first = await waitForRun(1);
  expect(first).toMatchObject({ outcome: 'succeeded', request_count: 1, emitted: { length: 3 } });
  expect(first.requests).toEqual([{ method: 'GET', host, status: 200, duration_ms: expect.any(Number) }]);
  await fetch(endpoint, { method: 'POST' });
  expect(await waitForRun(2)).toMatchObject({ outcome: 'succeeded', emitted: [] });
  expect(seenRequests.map(({ url }) => url)).toEqual(['/hooks', '/items?after=0', '/items?after=3']);
});

test('a source with a timer polls a feed over TLS from where it stopped, and emits each item once', async () => {
  const timed = await client.deploySource({
    component_code: `module.exports = {
      name: 'Timed', version: '0.1.0', dedupe: 'greatest',
      props: { db: '$.service.db', timer: { type: '$.interface.timer', static: { intervalSeconds: 1 } } },
      async run() {
        const after = this.db.get('after') ?? 0;
        const found = await (await fetch('https://${tlsHost}/items?after=' + after)).json();
        for (const item of found) this.$emit(item, { id: item.id });
        if (found.length > 0) this.db.set('after', found.at(-1).id);
      },
    };`,
  });
  const requestsBefore = seenRequests.length;
  await until('a poll behind all items', async () =>
    seenRequests.slice(requestsBefore).some(({ url }) => url === '/items?after=3'),
  );
  const events = async () => (await client.eventSummaries(timed.id, { expand: 'event' })).data;
  await until('its events', async () => (await events()).length >= items.length);
  expect((await events()).map(({ event }) => event)).toEqual(items.toReversed());
  await client.deleteSource(timed.id);
}, 60_000);

test('a request to a private address is refused, also after a redirect, and recorded without secrets', async () => {
  await fetch(`${endpoint}?url=${encodeURIComponent('http://169.254.169.254/latest/meta-data')}`, { method: 'POST' });
  const direct = await waitForRun(3);
  expect(direct).toMatchObject({
    outcome: 'failed',
    requests: [{ host: '169.254.169.254', status: null }],
    error: { name: 'TypeError', message: expect.stringContaining('not public') },
  });
  await fetch(`${endpoint}?path=/away`, { method: 'POST' });
  const redirected = await waitForRun(4);
  expect(redirected.error?.message).toContain('not public');
  expect(redirected.requests.map(({ host: asked, status }) => [asked, status])).toEqual([
    [host, 302],
    ['10.1.2.3', null],
  ]);
  expect(JSON.stringify(await runsOfKind('http'))).not.toContain(token);
  expect(product.output).not.toContain(token);
});

test('EGRESS_MAP redirects a host, and TLS still requires a certificate for its name', async () => {
  const ask = (url: string): Promise<Response> =>
    fetch(`${endpoint}?url=${encodeURIComponent(url)}`, { method: 'POST' });
  await ask(`https://${tlsHost}/items?after=0`);
  const mapped = await waitForRun(5);
  expect(mapped).toMatchObject({ outcome: 'succeeded', requests: [{ host: tlsHost, status: 200 }] });
  await ask('https://stranger.example/items?after=0');
  const stranger = await waitForRun(6);
  expect(stranger.error?.message).toMatch(/stranger.example has no certificate that can be trusted/);
});

const greeter = (version: string): string => `export default {
  key: 'acme-greeter', name: 'Greeter', version: '${version}', props: { http: '$.interface.http' },
  run({ body }) { this.$emit({ hello: body.name, from: '${version}' }); },
};`;

let byUrl: NewSource;
test('fetches code from a URL, also over TLS and redirects', async () => {
  // Some chunks of the text end within a surrogate pair.
  const long = `${greeter('url')}\n// ${'\u{1f600}a'.repeat(60_000)}\n`;
  Object.assign(files, {
    '/hop': { status: 302, headers: { location: '/greeter.js' } },
    '/greeter.js': { headers: { 'content-type': 'text/plain' }, body: long },
  });
  const saved = await client.saveComponent({ component_url: `https://${tlsHost}/hop` });
  expect(saved).toMatchObject({ key: 'acme-greeter', version: 'url', code: long });
  byUrl = await client.deploySource({ component_url: `http://${host}/greeter.js` });
  expect(byUrl.component_id).toBe(saved.id);
  delete files['/greeter.js'];
  // The content type that many servers give to `.ts`.
  const inTypeScript = greeter('typed').replace('run({ body })', 'run({ body }: { body: Said }): void');
  const body = `interface Said { name?: string }\n${inTypeScript.replace('acme-greeter', 'acme-typed')}`;
  files['/greeter.ts'] = { headers: { 'content-type': 'video/mp2t' }, body };
  const typed = await client.saveComponent({ component_url: `http://${host}/greeter.ts` });
  expect(typed).toMatchObject({ key: 'acme-typed', version: 'typed', code: body });
});

test('sources are deployed from saved and fetched components, and updated to a newer saved version', async () => {
  const first = await client.saveComponent({ component_code: greeter('1') }, { idempotencyKey: 'greeter-1' });
  expect(first).toMatchObject({ id: expect.stringMatching(/^sc_/), key: 'acme-greeter', version: '1' });
  expect(await client.component('acme-greeter')).toEqual(first);
  const again = await client.saveComponent({ component_code: greeter('1') }, { idempotencyKey: 'greeter-1' });
  expect(again).toEqual(first);
  await fetch(byUrl.configured_props.http.endpoint_url, { method: 'POST', body: '{}' });
  await until('the greeting of what was fetched', async () => (await client.eventSummaries(byUrl.id)).data.length > 0);
  const greeting = await client.deploySource({ component_id: 'acme-greeter' });
  const second = await client.saveComponent({ component_code: greeter('2') });
  const updated = await client.updateSource(greeting.id, { component_id: 'acme-greeter' });
  expect([greeting.component_id, updated.component_id]).toEqual([first.id, second.id]);
  const { data } = await client.components({ key: 'acme-greeter' });
  expect(data.map(({ version }) => version)).toEqual(['2', '1', 'url']);
  await fetch(greeting.configured_props.http.endpoint_url, { method: 'POST', body: '{"name":"you"}' });
  const [event] = await until('the greeting', async () => {
    const found = await client.eventSummaries(greeting.id, { expand: 'event' });
    return found.data.length > 0 && found.data;
  });
  expect(event?.event).toMatchObject({ from: '2' });
  await expect(client.saveComponent({ component_code: 'module.exports = {' })).rejects.toMatchObject({
    status: 400,
    code: 'component_invalid',
    details: { line: expect.any(Number) },
  });
}, 180_000);

test.each([
  ['/missing.js', { status: 404 }, /status 404/],
  ['/page', { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<html>' }, /is a page/],
  ['/large.js', { body: 'x'.repeat(2 ** 20 + 1) }, /more than 1048576 bytes/],
  ['/binary.js', { body: Buffer.from([0x61, 0xff, 0xfe]) }, /no text in UTF-8/],
  ['/nul.js', { body: 'a\0b' }, /no text/],
  ['/empty.js', { body: ' ' }, /empty/],
  ['/loop', { status: 302, headers: { location: '/loop' } }, /redirect/i],
  ['/inside', { status: 302, headers: { location: 'http://10.1.2.3/x.js' } }, /not public/],
])('refuses to fetch code from %s and says why', async (path, file, message) => {
  files[path] = file as never;
  const refused = client.saveComponent({ component_url: `http://${host}${path}?key=${token}` });
  const error = await refused.catch((caught: unknown) => caught as { message: string });
  expect(error).toMatchObject({ status: 400, code: 'fetch_failed', message: expect.stringMatching(message) });
  expect(JSON.stringify([error, product.output])).not.toContain(token);
});

test('a deleted source removes its registration with the service', async () => {
  await client.deleteSource(source.id);
  const deletion = await until('the registration to go', () => seenRequests.find(({ method }) => method === 'DELETE'));
  expect(deletion).toEqual({ method: 'DELETE', url: '/hooks/1', authorization: `Bearer ${token}` });
});
