// undici inside an isolate, against a server: what components and packages rely on of it.
import { jest } from '@jest/globals';
import { IsolatedVmSandbox } from '../../../sandbox/isolated-vm/isolated-vm-sandbox.ts';
import { cacheDir, invoke } from '../../../sandbox/isolated-vm/spec/harness.ts';
import { bundled, component } from '../fixture/components.ts';
import { startUpstream } from '../fixture/upstream.ts';
import type { Upstream } from '../fixture/upstream.ts';
import * as provided from './undici.ts';

jest.setTimeout(60_000);

let upstream: Upstream;
let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  upstream = await startUpstream();
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, egress: { allow: ['127.0.0.0/8'] } });
});
afterAll(async () => {
  await sandbox.close();
  await upstream.close();
});

let count = 0;
const imports = `import undici, { Agent, Client, errors, fetch, ProxyAgent, request, setGlobalDispatcher, stream } from 'undici';
  import { Writable } from 'node:stream';
  const told = async (work) => { try { return await work(); } catch (error) { return [error.name, error.code, error.message]; } };`;

async function valueOf(body: string): Promise<unknown> {
  const code = await bundled(component(body, imports));
  const { end, error, emits } = await invoke(sandbox, code, {
    sourceId: `dc_undici_${++count}`,
    event: { origin: upstream.origin },
  });
  if (end !== 'finished') throw new Error(`${end}: ${error?.stack ?? error?.message}`);
  return emits[0]?.event;
}

test('request answers with status, fields and a body that is read as a stream or whole', async () => {
  const value = await valueOf(`
    const sent = await request(origin + '/echo', { method: 'POST', query: { q: [1, 2] }, headers: ['x-a', 'A', 'content-type', 'text/plain'], body: 'said' });
    const moved = await request(origin + '/moved'); let text = ''; for await (const part of (await request(new URL('/large', origin))).body) text += part;
    return [sent.statusCode, await sent.body.json(), moved.statusCode, moved.headers.location, text.length, (await (await request(origin + '/gzip')).body.json())];`);
  expect(value).toEqual([
    200,
    { method: 'POST', url: '/echo?q=1&q=2', type: 'text/plain', body: 'said', a: 'A' },
    302,
    '/echo?moved=1',
    300_000,
    { a: 1 },
  ]);
});

test('fetch, stream and a client of one origin ask alike', async () => {
  const value = await valueOf(`
    setGlobalDispatcher(new Agent({ connect: { timeout: 5 } })); const parts = [];
    await stream(origin + '/chunked', { method: 'GET' }, ({ statusCode }) => new Writable({ write(part, _, done) { parts.push(statusCode, String(part)); done(); } }));
    const { body } = await new Client(origin).request({ path: '/echo?c=1', method: 'GET' });
    return [(await (await fetch(origin + '/echo', { dispatcher: new Agent() })).json()).url, parts.join(' '), (await body.json()).url, typeof undici.request];`);
  expect(value).toEqual(['/echo', expect.stringContaining('200 a,b'), '/echo?c=1', 'function']);
});

test('what fails says why, and what would send requests elsewhere is refused', async () => {
  const value = await valueOf(`return [
    await told(() => request(origin + '/fails', { throwOnError: true })), await told(() => request('nonsense')),
    await told(() => request(origin + '/hang', { headersTimeout: 50 })), await told(() => new ProxyAgent('http://proxy.example')), new errors.SocketError('x').code];`);
  expect(value).toEqual([
    ['ResponseError', 'UND_ERR_RESPONSE', 'Response status code 422: Unprocessable Entity'],
    ['InvalidArgumentError', 'UND_ERR_INVALID_ARG', 'Invalid URL: nonsense'],
    ['TimeoutError', 23, expect.any(String)],
    ['NotSupportedError', 'UND_ERR_NOT_SUPPORTED', expect.stringContaining('ProxyAgent is not available')],
    'UND_ERR_SOCKET',
  ]);
});

test('it has every name that packages may import of undici', async () => {
  const own = await import('undici');
  const names = Object.keys(own).filter((name) => !['default', 'module.exports', 'Dispatcher1Wrapper'].includes(name));
  expect(names.filter((name) => !(name in provided))).toEqual([]);
});
