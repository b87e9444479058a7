// Tests the platform's axios inside an isolate, against a server: the behaviour that components rely on.
import { jest } from '@jest/globals';
import { IsolatedVmSandbox } from '../../../sandbox/isolated-vm/isolated-vm-sandbox.ts';
import { cacheDir, invoke } from '../../../sandbox/isolated-vm/spec/harness.ts';
import type { InvocationOutcome } from '../../../sandbox/sandbox.ts';
import { bundleComponent, component } from '../fixture/components.ts';
import { startUpstream } from '../fixture/upstream.ts';
import type { Upstream } from '../fixture/upstream.ts';

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
const imports = `import { axios, ConfigurationError, transformConfigForOauth } from '@pipedream/platform';
  import FormData from 'form-data';`;

async function outcomeOf(body: string): Promise<InvocationOutcome> {
  const code = await bundleComponent(component(body, imports));
  return invoke(sandbox, code, { sourceId: `dc_platform_${++count}`, event: { origin: upstream.origin } });
}

async function valueOf(body: string): Promise<unknown> {
  const { end, error, emits } = await outcomeOf(body);
  if (end !== 'finished') throw new Error(`${end}: ${error?.stack ?? error?.message}`);
  return emits[0]?.event;
}

test('a call returns the data; params override the query of the URL, and undefined values are left out', async () => {
  const value = await valueOf(`
    const first = await axios(this, { url: origin + '/echo?a=1&b=2&c=x&c=y#d', params: { b: 3, e: undefined } });
    const second = await axios(undefined, { method: 'POST', url: origin + '/echo', headers: { 'x-a': undefined, authorization: 'Bearer t' },
      data: { kept: null, gone: undefined } });
    return [first.url, second];`);
  expect(value).toEqual([
    '/echo?c=x&c=y&a=1&b=3',
    { method: 'POST', url: '/echo', type: 'application/json', body: '{"kept":null}', authorization: 'Bearer t' },
  ]);
});

test('returnFullResponse answers with status, headers and data; redirects are followed and gzip unpacked', async () => {
  const value = await valueOf(`
    const { status, headers, data } = await axios(this, { url: origin + '/moved', returnFullResponse: true });
    return [status, headers['content-type'], data.url, await axios(this, { url: origin + '/gzip' })];`);
  expect(value).toEqual([200, 'application/json', '/echo?moved=1', { a: 1 }]);
});

test('body instead of data is a ConfigurationError that names data', async () => {
  const { end, error } = await outcomeOf("return axios(this, { url: origin + '/echo', body: { a: 1 } });");
  expect(end).toBe('threw');
  expect(error).toMatchObject({ name: 'ConfigurationError', message: expect.stringContaining('"data"') });
});

test("an error status throws with the server's answer, and without the request", async () => {
  const value = await valueOf(`
    const failed = async (path, more = {}) => { try { await axios(this, { url: origin + path, headers: { authorization: 'Bearer secret' }, ...more }); }
      catch (error) { return error; } };
    const error = await failed('/fails');
    const plain = await failed('/fails-plainly', { responseType: 'arraybuffer' });
    return [error.name, error.message, error.response.status, error.response.data, Object.keys(error.response), error.code,
      ['request', 'config', 'stack'].filter((name) => error[name] !== undefined), plain.message, error instanceof Error];`);
  const data = { error: 'no such thing', fields: ['a'] };
  expect(value).toEqual([
    'AxiosError - Request failed with status code 422',
    JSON.stringify(data),
    422,
    data,
    ['status', 'statusText', 'headers', 'data'],
    'ERR_BAD_REQUEST',
    [],
    '"went wrong"',
    true,
  ]);
});

test('an uncaught error status is shown in the run', async () => {
  const { end, error } = await outcomeOf("return axios(this, { url: origin + '/fails' });");
  expect(end).toBe('threw');
  expect(error).toMatchObject({
    name: 'AxiosError - Request failed with status code 422',
    message: '{"error":"no such thing","fields":["a"]}',
  });
});

test('debug exports request and response; a step with a context also exports errors', async () => {
  const value = await valueOf(`
    const exported = {};
    const step = { export: (name, what) => { exported[name] = what; }, context: { id: 1 } };
    await axios(step, { url: origin + '/echo?a=1', debug: true });
    await axios(step, { url: origin + '/fails' }).catch(() => {});
    await axios(this, { url: origin + '/echo', debug: true });
    return [exported.debug_config.params, exported.debug_response.data.url, exported.debug.status, this.debug_response.status];`);
  expect(value).toEqual([{ a: '1' }, '/echo?a=1', 422, 200]);
});

test('axios.create makes a client of the same kind', async () => {
  const value = await valueOf(`
    const client = axios.create({ baseURL: origin, headers: { 'x-a': 'b' } });
    const data = await client.get('/echo?a=1', { params: { a: 2, b: undefined } });
    const full = await client.post('/echo', { c: 1 }, { returnFullResponse: true });
    const error = await client.get('/fails').catch((error) => error);
    const refused = await client.get('/echo', { body: 1 }).catch((error) => error.name);
    return [data.url, data.a, full.status, full.data.body, error.message, error.config ?? null, refused];`);
  expect(value).toEqual([
    '/echo?a=2',
    'b',
    200,
    '{"c":1}',
    '{"error":"no such thing","fields":["a"]}',
    null,
    'ConfigurationError',
  ]);
});

test('bytes are received as a Buffer or a stream; forms and streams can be sent', async () => {
  const value = await valueOf(`
    const bytes = await axios(this, { url: origin + '/bytes', responseType: 'arraybuffer' });
    const stream = await axios(this, { url: origin + '/large', responseType: 'stream' });
    let length = 0;
    for await (const part of stream) length += part.length;
    const form = new FormData();
    form.append('title', 'T');
    form.append('file', Buffer.from('hello'), { filename: 'a.txt' });
    const sent = await axios(this, { method: 'POST', url: origin + '/echo', data: form, headers: form.getHeaders() });
    return [Buffer.isBuffer(bytes), [...bytes], length, sent.type, sent.body];`);
  expect(value).toEqual([
    true,
    [0, 1, 254, 255],
    300_000,
    'multipart/form-data; boundary=BOUNDARY',
    expect.stringMatching(
      /name="title"\r\n\r\nT\r\n[^]*name="file"; filename="a.txt"\r\nContent-Type: text\/plain\r\n\r\nhello/,
    ),
  ]);
});

test('a signed request carries the headers of the signer', async () => {
  const value = await valueOf(`
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const signed = transformConfigForOauth({ url: origin + '/a?b=1', params: { c: 2 }, method: 'post', headers: form, data: { d: 1 } });
    const unsigned = transformConfigForOauth({ url: 'https://a.example/b', data: { d: 1 } });
    const answer = await axios(this, { url: origin + '/echo?b=1' }, { token: { key: 'k' }, oauthSignerUri: origin + '/signer' });
    return [signed, unsigned, answer];`);
  expect(value).toMatchObject([
    { method: 'post', url: expect.stringMatching(/\/a\?b=1&c=2$/), data: { d: 1 } },
    { method: 'get', url: 'https://a.example/b' },
    { url: '/echo?b=1', authorization: 'OAuth signed' },
  ]);
});

test('a time limit and a refused connection have the codes that axios gives them', async () => {
  const value = await valueOf(`
    const code = (config) => axios(this, config).catch((error) => error.code);
    return [await code({ url: origin + '/hang', timeout: 50 }), await code({ url: 'http://127.0.0.1:1/' })];`);
  expect(value).toEqual(['ECONNABORTED', 'ECONNREFUSED']);
});
