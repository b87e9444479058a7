// Props of type `http_request` inside the sandbox: the request that `execute()` sends, and its result.
import { jest } from '@jest/globals';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../../domain/json.ts';
import type { InvocationOutcome } from '../../../sandbox.ts';
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir, invoke } from '../harness.ts';

jest.setTimeout(40_000);

let server: Server;
let origin = '';
let sandbox: IsolatedVmSandbox;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const { method, url, headers } = request;
    const status = url?.startsWith('/missing') ? 404 : 200;
    response.writeHead(status, { 'x-answer': 'yes' });
    response.end(url === '/text' ? 'plain text' : JSON.stringify({ method, url, headers, body }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, egress: { allow: ['127.0.0.0/8'] } });
});
afterAll(async () => {
  await sandbox.close();
  server.close();
});

const code = `const app = { type: 'app', app: 'x', propDefinitions: { request: { type: 'http_request', default: { method: 'GET' } } } };
module.exports = { name: 'a', version: '1', props: { request: { type: 'http_request' } },
  async run() {
    const { request: { execute, method } } = this;
    try {
      const { status, statusText, headers, data } = await execute();
      this.$emit({ method, status, statusText, answer: headers['x-answer'], data });
    } catch (error) {
      console.log(error.message);
      this.$emit({ name: error.name, message: error.message, status: error.response?.status, data: error.response?.data });
    }
  } }`;

const executed = (request: JsonObject, secrets: readonly string[] = []): Promise<InvocationOutcome> =>
  invoke(sandbox, code, { props: { request }, secrets });

test('the configured request is sent, and the answer has the form of an axios response', async () => {
  const { emits, error } = await executed({
    method: 'POST',
    url: `${origin}/items?a=1`,
    params: [{ name: 'b', value: 'ü' }],
    headers: [{ name: 'X-Own', value: 'own' }],
    auth: { type: 'basic', username: 'u', password: 'p' },
    body: { type: 'fields', fields: [{ name: 'n', value: 5 }] },
  });
  expect(error).toBeUndefined();
  expect(emits[0]?.event).toEqual({
    method: 'POST',
    status: 200,
    statusText: 'OK',
    answer: 'yes',
    data: {
      method: 'POST',
      url: '/items?a=1&b=%C3%BC',
      body: '{"n":5}',
      headers: expect.objectContaining({
        'x-own': 'own',
        authorization: 'Basic dTpw',
        'content-type': 'application/json',
      }),
    },
  });
});

test.each<[string, JsonObject, string, RegExp]>([
  [
    'a form',
    { contentType: 'application/x-www-form-urlencoded', fields: { a: 'b c' } },
    'application/x-www-form-urlencoded',
    /^a=b\+c$/,
  ],
  [
    'a form with parts',
    { contentType: 'multipart/form-data', fields: { a: 'b' } },
    'multipart/form-data; b',
    /name="a"/,
  ],
  ['a text', { mode: 'raw', contentType: 'text/xml', raw: '<x/>' }, 'text/xml', /^<x\/>$/],
])('%s is sent as its body', async (_what, body, type, sent) => {
  const { emits } = await executed({
    method: 'POST',
    url: `${origin}/b`,
    body,
    auth: { type: 'bearer', token: 'tok' },
  });
  const [emit] = emits as unknown as readonly [{ event: { data: { body: string; headers: Record<string, string> } } }];
  const { data } = emit.event;
  expect(data.headers['content-type']?.startsWith(type)).toBe(true);
  expect(data.headers['authorization']).toBe('Bearer tok');
  expect(data.body).toMatch(sent);
});

test('a text is returned as text; a status above 399 and a refused address throw', async () => {
  expect((await executed({ url: `${origin}/text` })).emits[0]?.event).toMatchObject({ data: 'plain text' });
  const missing = await executed({ url: `${origin}/missing` });
  expect(missing.emits[0]?.event).toMatchObject({
    name: 'HttpRequestError',
    message: 'Request failed with status code 404',
    status: 404,
    data: { url: '/missing' },
  });
  const refused = await executed({ url: 'http://169.254.169.254/' }, ['169.254']);
  expect(refused.emits[0]?.event).toMatchObject({
    name: 'TypeError',
    message: expect.stringMatching(/^fetch failed: /),
  });
  expect(refused.console[0]?.text).not.toContain('169.254');
  expect(missing.requests?.list).toMatchObject([{ method: 'GET', status: 404 }]);
});
