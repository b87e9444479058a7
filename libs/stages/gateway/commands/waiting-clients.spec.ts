// Clients that wait for the outcome of a command while lifecycle is stuck: what they block, and for how long.
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { until } from '../../../../test/support/until.ts';
import { TestBed } from '../test-bed.fake.ts';
import type { Answer } from '../test-bed.fake.ts';

/** Requests of a workspace that can wait for packages. */
const installingMax = 16;
/** Requests that can wait for anything else. */
const usualMax = 200;

let bed: TestBed;
let session: Readonly<Record<'cookie' | 'x-csrf-token', string>>;
let keyId: string;
beforeEach(async () => {
  bed = await TestBed.start();
  await bed.app.listen(0, '127.0.0.1');
  const signedIn = await bed.send('POST', '/session', { body: { api_key: bed.apiKey } });
  const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? '';
  session = { cookie, 'x-csrf-token': (signedIn.body.data as { csrf_token: string }).csrf_token };
  const made = await bed.call('POST', '/v1/api_keys', { body: { name: 'other' } });
  keyId = (made.body.data as { id: string }).id;
  await bed.stopStages();
  Object.assign(bed.parts.limits, { outcomeMs: 200, installingMs: 60_000 });
});
afterEach(() => bed?.stop());

/** Sends `times` requests on a new connection, and keeps waiting for the answers. */
function client(what: string, rest: string, times = 1): Socket {
  const { port } = bed.app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write(`${what} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bed.apiKey}\r\n${rest}`.repeat(times));
  return socket;
}

const search = (app: string): Socket => client(`GET /v1/components/search?app=${app}`, '\r\n');

const sent = (type: string): number => bed.log.records('commands').filter((record) => record.type === type).length;
const allSent = (type: string, count: number): Promise<unknown> =>
  until('the commands to be sent', async () => sent(type) === count);
const shown = ({ status, body }: Answer) => [status, body.code];
const searchMore = () => bed.call('GET', '/v1/components/search', { query: { app: 'more' } });

test('a workspace with many searches that wait for packages cannot search more, but can still do everything else', async () => {
  const searching = Array.from({ length: installingMax }, (_, n) => search(`a${n}`));
  await allSent('FetchComponent', installingMax);
  const more = await searchMore();
  expect([...shown(more), more.headers['retry-after']]).toEqual([429, 'too_many_requests', '1']);
  expect(more.body.error).toBe('Too many requests wait for packages of the npm registry.');
  expect(sent('FetchComponent')).toBe(installingMax);
  const changes = await Promise.all([
    bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/' } }),
    bed.call('DELETE', `/v1/api_keys/${keyId}`),
    bed.send('DELETE', '/session', { headers: session }),
  ]);
  // They are sent, but no stage carries them out.
  expect(changes.map(shown)).toEqual(changes.map(() => [503, 'unknown_outcome']));
  for (const socket of searching) socket.destroy();
});

test('a key can be deleted, and a session ended, while as many other requests of the workspace wait as may', async () => {
  Object.assign(bed.parts.limits, { outcomeMs: 60_000 });
  const create = () => bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/' } });
  const waiting = Array.from({ length: usualMax }, create);
  await allSent('CreateWebhook', waiting.length);
  expect(shown(await create())).toEqual([429, 'too_many_requests']);
  Object.assign(bed.parts.limits, { outcomeMs: 200 });
  const ending = [
    await bed.call('DELETE', `/v1/api_keys/${keyId}`),
    await bed.send('DELETE', '/session', { headers: session }),
  ];
  expect(ending.map(shown)).toEqual(ending.map(() => [503, 'unknown_outcome']));
});

test.each([
  ['each on a connection of its own', usualMax, 1],
  ['behind each other on few connections', usualMax / 50, 50],
])('a client that is gone leaves its place: requests %s', async (_how, connections, times) => {
  Object.assign(bed.parts.limits, { outcomeMs: 60_000 });
  const body = JSON.stringify({ url: 'https://example.com/' });
  const head = `content-type: application/json\r\ncontent-length: ${body.length}`;
  const asking = Array.from({ length: connections }, () =>
    client(`POST /v1/webhooks`, `${head}\r\n\r\n${body}`, times),
  );
  await allSent('CreateWebhook', usualMax);
  const more = () => bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/' } });
  expect((await more()).status).toBe(429);
  for (const socket of asking) socket.destroy();
  Object.assign(bed.parts.limits, { outcomeMs: 200 });
  await until('a place to be free', async () => (await more()).status === 503);
});

test('a look-up that no stage carries out frees its place in the end, also if its client is gone', async () => {
  Object.assign(bed.parts.limits, { installSlotMs: 1_000 });
  const searching = Array.from({ length: installingMax }, (_, n) => search(`a${n}`));
  await allSent('FetchComponent', installingMax);
  for (const socket of searching) socket.destroy();
  expect((await searchMore()).status).toBe(429);
  Object.assign(bed.parts.limits, { installingMs: 200 });
  await until('a place to be free', async () => (await searchMore()).status === 503);
});
