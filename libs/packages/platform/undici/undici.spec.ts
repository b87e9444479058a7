// Tests undici inside an isolate, against a server: the behaviour that components and packages rely on.
import { jest } from '@jest/globals';
import { IsolatedVmSandbox } from '../../../sandbox/isolated-vm/isolated-vm-sandbox.ts';
import { cacheDir, invoke } from '../../../sandbox/isolated-vm/spec/harness.ts';
import { bundleComponent, component } from '../fixture/components.ts';
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
const imports = `import undici, { Agent, Client, errors, fetch, interceptors, Pool, ProxyAgent, request, RetryAgent, setGlobalDispatcher, stream } from 'undici';
  import { Writable } from 'node:stream';
  const told = async (work) => { try { return await work(); } catch (error) { return [error.name, error.code, error.message]; } };`;

async function valueOf(body: string): Promise<unknown> {
  const code = await bundleComponent(component(body, imports));
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

const composing = `const agent = new Agent(); const by = (...all) => agent.compose(...all); const { redirect, responseError, retry } = interceptors; const soon = { minTimeout: 1 };
  const shown = async ({ statusCode, body }) => [statusCode, await body.text()]; const field = ({ name, code, message, statusCode, body, data }) => [name, code, message, statusCode, body, data];
  const told = async (work) => { try { return await work(); } catch (error) { return field(error); } };
  const first = [
    await shown(await request(origin + '/moved', { dispatcher: by(redirect({ maxRedirections: 2 })) })), (await request(origin + '/moved', { dispatcher: by(redirect()) })).statusCode, (await request(origin + '/round', { dispatcher: by(redirect({ maxRedirections: 1 })) })).statusCode,
    await shown(await request(origin + '/moved', { method: 'POST', body: 'x', headers: { 'content-type': 'a/b', 'x-a': 'y' }, dispatcher: by(redirect({ maxRedirections: 2 })) })), await told(() => request(origin + '/round', { dispatcher: by(redirect({ maxRedirections: 1, throwOnMaxRedirect: true })) })),
    await told(() => request(origin + '/fails', { dispatcher: by(responseError()) })), await told(() => request(origin + '/fails-plainly', { dispatcher: agent.compose([responseError()]) })),
    await shown(await request(origin + '/busy?1' + tag, { dispatcher: by(retry(soon)) })), await told(() => request(origin + '/busy?2' + tag, { dispatcher: by(retry({ ...soon, maxRetries: 1 })) })), await shown(await request(origin + '/busy?3' + tag, { dispatcher: by(retry({ ...soon, maxRetries: 1, throwOnError: false })) })),
    await told(() => request(origin + '/busy?4' + tag, { method: 'POST', body: 'x', dispatcher: by(retry(soon)) })), await shown(await request(origin + '/busy?5' + tag, { method: 'PUT', body: 'x', dispatcher: new RetryAgent(agent, soon) })), await shown(await new Pool(origin).compose(retry(soon)).request({ path: '/busy?6' + tag, method: 'GET' })),
    await (await fetch(origin + '/busy?7' + tag, { dispatcher: by(retry(soon)) })).json(), await told(() => request(origin + '/busy?8' + tag, { dispatcher: by(retry({ retry: (error, { state }, done) => done(state.counter > 1 ? error : null) })) })),
    (await told(() => request(origin + '/busy?9' + tag, { dispatcher: by(responseError(), retry({ ...soon, maxRetries: 1 })) })))[0],
  ];`;

test('interceptors do what those of undici do', async () => {
  const own = await import('undici');
  const names = ['Agent', 'fetch', 'interceptors', 'Pool', 'request', 'RetryAgent', 'origin', 'tag'];
  const AsyncFunction = (async () => {}).constructor as new (...text: string[]) => (...all: unknown[]) => unknown;
  const values = names.map((name) => (own as unknown as Record<string, unknown>)[name]);
  const here = new AsyncFunction(...names, `${composing} return first;`);
  const expected = await here(...values.slice(0, -2), upstream.origin, 'here');
  expect(await valueOf(`const tag = 'inside'; ${composing} return first;`)).toEqual(
    JSON.parse(JSON.stringify(expected)),
  );
});

test('an interceptor of its own is refused, and one for all requests is taken', async () => {
  const value = await valueOf(`
    const refused = await told(() => new Agent().compose((dispatch) => dispatch));
    setGlobalDispatcher(new Agent().compose(interceptors.redirect({ maxRedirections: 3 })));
    return [refused, (await request(origin + '/moved')).statusCode, (await fetch(origin + '/moved')).url.replace(origin, '')];`);
  expect(value).toEqual([
    ['NotSupportedError', 'UND_ERR_NOT_SUPPORTED', expect.stringContaining('fetch in a function of yours')],
    200,
    '/echo?moved=1',
  ]);
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
