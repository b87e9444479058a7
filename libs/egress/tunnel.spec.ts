// All outgoing traffic goes through the operator's proxy, and refused targets never reach the proxy.
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { tlsCertificate, tlsHost, tlsKey } from '../../test/support/upstream/certificate.ts';
import { Proxy } from '../../test/support/upstream/proxy.ts';
import { EgressGuard } from './guard.ts';
import type { EgressMap } from './guard.ts';
import { OriginPools } from './pools.ts';
import { openTunnel } from './tunnel.ts';
import type { EgressProxy } from './tunnel.ts';
import { request } from './undici.ts';

const credentials = 'me:pa:ss%wörd';
const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
const trusted = getCACertificates('default');
const answer: RequestListener = ({ headers }, response) => response.end(JSON.stringify(headers));
let plain: Server;
let secure: Server;
let proxy: Proxy;
let pools: OriginPools | undefined;

const listening = async <S extends TcpServer>(server: S): Promise<S> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};
const portOf = (server: TcpServer): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  setDefaultCACertificates([tlsCertificate]);
  plain = await listening(createServer(answer));
  secure = await listening(createTlsServer({ key: tlsKey, cert: tlsCertificate }, answer));
  proxy = await Proxy.start(credentials);
});
afterEach(async () => {
  await pools?.close(0);
  proxy.openedTunnels.length = 0;
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await proxy.stop();
  for (const server of [plain, secure]) await new Promise((resolve) => server.close(resolve));
});

interface By {
  readonly allow?: readonly string[];
  readonly map?: EgressMap;
  readonly by?: EgressProxy;
}

async function get(origin: string, { allow = [], map = {}, by }: By = {}): Promise<unknown> {
  const never = (): never => {
    throw new Error('this machine was asked');
  };
  const proxied = by ?? { host: '127.0.0.1', port: proxy.port, authorization };
  pools = new OriginPools(new EgressGuard(allow, map, { resolve: never, interfaces: never }, proxied));
  const { body } = await request(pools.poolOf(origin), { origin, path: '/', method: 'GET' });
  return body.json();
}

const failureOf = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => 'answered',
    ({ code, message }: { code: string; message: string }) => [code, message],
  );

test.each([
  ['http', 'plain.example:80', () => plain],
  ['https', `${tlsHost}:443`, () => secure],
])('%s goes through a tunnel to the requested name, which is not resolved locally', async (scheme, to, server) => {
  proxy.portByAuthority.set(to, portOf(server()));
  const headers = await get(`${scheme}://${to.split(':')[0]}`);
  expect(headers).toMatchObject({ host: to.split(':')[0] });
  expect(JSON.stringify(headers)).not.toContain('proxy');
  expect(proxy.openedTunnels).toEqual([to]);
});

test('the certificate is checked against the requested name', async () => {
  proxy.portByAuthority.set('stranger.example:443', portOf(secure));
  expect(await failureOf(get('https://stranger.example'))).toEqual([
    'ERR_TLS_CERT_ALTNAME_INVALID',
    expect.any(String),
  ]);
});

test.each(['http://10.0.0.1', 'http://[::1]', 'http://169.254.169.254', 'http://localhost', 'http://a.localhost.'])(
  '%s is refused before the proxy is contacted',
  async (origin) => {
    expect(await failureOf(get(origin))).toEqual(['ADDRESS_REFUSED', expect.any(String)]);
    expect(proxy.openedTunnels).toEqual([]);
  },
);

test('an allowed range goes through the proxy, a host in the map does not', async () => {
  const port = portOf(plain);
  await get(`http://127.0.0.1:${port}`, { allow: ['127.0.0.0/8'] });
  expect(proxy.openedTunnels).toEqual([`127.0.0.1:${port}`]);
  await pools?.close(0);
  await get('http://mapped.example', { map: { 'mapped.example': { address: '127.0.0.1', port } } });
  expect(proxy.openedTunnels).toHaveLength(1);
});

test('refusals by the proxy, and an absent proxy, are reported without its address and credentials', async () => {
  const wrong = `Basic ${Buffer.from('me:wrong').toString('base64')}`;
  const at = { host: '127.0.0.1', port: proxy.port };
  expect(await failureOf(get('http://plain.example', { by: { ...at, authorization: wrong } }))).toEqual([
    'PROXY_REFUSED',
    'The proxy (EGRESS_PROXY) opens no connection: it does not take the credentials (407).',
  ]);
  proxy.portByAuthority.set('nowhere.example:80', 1);
  expect(await failureOf(get('http://nowhere.example'))).toEqual([
    'PROXY_REFUSED',
    'The proxy (EGRESS_PROXY) opens no connection: it answers 502.',
  ]);
  expect(await failureOf(get('http://plain.example', { by: { ...at, port: 1 } }))).toEqual([
    'PROXY_UNREACHABLE',
    'The proxy (EGRESS_PROXY) cannot be reached.',
  ]);
});

test.each([
  ['no HTTP at all', 'SSH-2.0-x\r\n\r\n', 'does not answer as HTTP does'],
  ['a head without an end', 'HTTP/1.1 200 OK\r\n' + 'a: b\r\n'.repeat(5_000), 'does not answer as HTTP does'],
  ['nothing, and a closed connection', '', 'closed the connection'],
  ['what a server says unasked', 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', 'before a request was sent'],
])('a proxy that answers with %s fails the request', async (_what, said, told) => {
  const odd = await listening(
    createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(said))),
  );
  const failure = await failureOf(get('http://plain.example', { by: { host: '127.0.0.1', port: portOf(odd) } }));
  expect(failure).toEqual(['PROXY_REFUSED', expect.stringContaining(told)]);
  await new Promise((resolve) => odd.close(resolve));
});

test('a silent proxy is given up after the time limit', async () => {
  const silent = await listening(createTcpServer((socket) => socket.on('error', () => {}).resume()));
  const failure = await failureOf(get('http://plain.example', { by: { host: '127.0.0.1', port: portOf(silent) } }));
  expect(failure).toEqual(['PROXY_REFUSED', expect.stringContaining('does not answer in time')]);
  await pools?.close(0);
  await new Promise((resolve) => silent.close(resolve));
});

/** Opens a tunnel by a server that reacts to the request as told. Returns the calls with the result. */
async function tunnelBy(react: (socket: Socket, asked: string) => void, timeoutMs: number) {
  const server = await listening(
    createTcpServer((socket) => socket.on('error', () => {}).once('data', (data) => react(socket, String(data)))),
  );
  const results: (readonly [Error | null, Socket | null])[] = [];
  const target = { hostname: '2001:db8::1', port: '443' };
  await new Promise<void>((resolve) => {
    openTunnel({ host: '127.0.0.1', port: portOf(server) }, target, timeoutMs, (error, socket) => {
      results.push([error, socket]);
      resolve();
    });
  });
  // It must not give a result again when the time is over.
  await delay(2 * timeoutMs);
  return { results, close: () => new Promise((resolve) => server.close(resolve)) };
}

test('a tunnel opens even if the answer comes byte by byte, and stays open when the time limit has passed', async () => {
  let request = '';
  const { results, close } = await tunnelBy(async (socket, asked) => {
    request = asked;
    socket.setNoDelay(true).on('data', (data) => socket.end(data));
    for (const byte of 'HTTP/1.1 200 OK\r\na: b\r\n\r\n') {
      socket.write(byte);
      await new Promise(setImmediate);
    }
  }, 1_000);
  expect(request).toBe('CONNECT [2001:db8::1]:443 HTTP/1.1\r\nHost: [2001:db8::1]:443\r\n\r\n');
  expect(results).toEqual([[null, expect.anything()]]);
  const [[, socket] = []] = results;
  socket?.end('echo');
  expect(String(Buffer.concat((await socket?.toArray()) ?? []))).toBe('echo');
  await close();
});

test('a tunnel that fails tells so once', async () => {
  const { results, close } = await tunnelBy((socket) => socket.end('HTTP/1.1 403 No\r\n\r\nno'), 100);
  expect(results).toEqual([[expect.objectContaining({ reaction: 'it answers 403' }), null]]);
  await close();
});
