// Whatever a client sends, a refusal has one form and says what is wrong, and is never a failure of the service.
import { request } from 'node:http';
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';

const fixture = withFixture();
let client: Client;
let apiKey: string;
const known = { source: '', webhook: '', subscription: '' };

beforeAll(async () => {
  apiKey = await fixture.product.apiKey();
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey });
  known.source = (
    await client.deploySource({ component_code: `export default { name: 'A', version: '1', run() {} }` })
  ).id;
  known.webhook = (await client.createWebhook({ url: 'https://example.com/' })).id;
  const subscribed = await client.createSubscription({ emitter_id: known.source, listener_id: known.webhook });
  known.subscription = subscribed.id;
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface RequestOptions {
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request unchanged: `fetch` would correct paths and headers. */
function send(method: string, path: string, { body, headers = {} }: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers };
    const clientRequest = request(
      { port: fixture.product.port, host: '127.0.0.1', method, path, headers: all },
      (answer) => {
        answer.toArray().then((chunks) => {
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        }, reject);
      },
    );
    clientRequest.on('error', reject).end(body);
  });
}

function expectRefusal(what: string, { status, text }: Answer): void {
  expect([what, status, status >= 400 && status < 500]).toEqual([what, status, true]);
  const { error, code, ...rest } = JSON.parse(text) as Record<string, unknown>;
  expect([typeof error, typeof code]).toEqual(['string', 'string']);
  expect(Object.keys(rest).filter((name) => name !== 'details')).toEqual([]);
}

const collections = ['/v1/webhooks', '/v1/subscriptions', '/v1/sources'];
const readPaths = (): string[] => [
  ...collections,
  '/v1/users/me/webhooks',
  `/v1/subscriptions/${known.subscription}/deliveries`,
  `/v1/sources/${known.source}/event_summaries`,
  `/v1/sources/${known.source}/runs`,
];

test('lists refuse invalid paging and unknown parameters', async () => {
  const limits = ['0', '-1', '101', '1e9', 'NaN', '1.5', '', '9'.repeat(30), '1&limit=2'].map(
    (text) => `limit=${text}`,
  );
  const cursors = ['x', '%00', '%F0', '1-', 'A'.repeat(299), 'A'.repeat(301)].map((text) => `after=${text}`);
  const names = ['nope=1', '__proto__=1', 'constructor=1', 'limit[]=1', 'after=x&before=x', '%00=1', 'org_id=o_0'];
  for (const path of readPaths()) {
    for (const query of [...limits, ...cursors, ...names]) {
      expectRefusal(`${path}?${query}`, await send('GET', `${path}?${query}`));
    }
  }
});

test('refuses unknown and malformed ids in paths', async () => {
  const ids = ['%2e%2e', '%00', '%', 'x'.repeat(5_000), '__proto__', 'wh_0000000000000000%2f', 'dc_*', ';a=1'];
  for (const collection of collections) {
    for (const id of ids) {
      for (const method of ['GET', 'DELETE', 'PUT']) {
        expectRefusal(`${method} ${id}`, await send(method, `${collection}/${id}`));
      }
    }
  }
});

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const badBodies: readonly (string | Buffer)[] = [
  'null',
  '[]',
  '1',
  '"x"',
  '{',
  '{}',
  '{"url":{}}',
  '{"url":"http://a.b/","url":"ftp://x"}',
  '{"__proto__":{"url":"http://a.b/"}}',
  '{"constructor":{"prototype":1}}',
  '{"toString":1}',
  '{"url":"http://a.b/","name":"\\ud800"}',
  '{"url":"http://a.b/","name":"\\u0000"}',
  '{"url":"http://u:p@a.b/"}',
  '{"url":"http://a.b/","retry_schedule":{"length":1}}',
  '{"url":"http://a.b/","retry_schedule":[1e400]}',
  '{"component_code":1}',
  '{"component_code":"x","configured_props":{"$auth":1}}',
  '{"component_code":")"}',
  '{"component_code":"x","configured_props":{"a":{"$sealed":1}}}',
  '{"emitter_id":["dc_*"],"listener_id":"wh_1"}',
  nested(300),
  nested(100_000),
  `{"configured_props":${nested(100_000)},"component_code":"x"}`,
  `{"component_code":"${'x'.repeat(1024 * 1024 + 1)}"}`,
  `{"url":"${'x'.repeat(2 * 1024 * 1024)}"}`,
  '{"url":"http://a.b/","name":"x","name":"y"}',
  `{"url":"http://a.b/","name":${nested(65)}}`,
  `{"component_code":"x","configured_props":{"a":1,"a":2}}`,
  `[${'0,'.repeat(1024 * 1024 - 2)}0]`,
  Buffer.from([0x7b, 0xff, 0x7d]),
  `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join()}}`,
];

test('POST of webhooks, subscriptions and sources refuses invalid bodies', async () => {
  for (const path of collections) {
    for (const body of badBodies) {
      expectRefusal(`${path} ${body.slice(0, 60)}`, await send('POST', path, { body }));
    }
  }
});

test('answers 401 to an unknown key, whatever the body is', async () => {
  const headers = { authorization: 'Bearer nobody' };
  for (const path of collections) {
    for (const body of badBodies) {
      expect((await send('POST', path, { body, headers })).status).toBe(401);
    }
  }
});

test('refuses invalid props in the query string', async () => {
  for (const props of [
    `{"a":${nested(4_000)}}`,
    `{"a":${nested(64)}}`,
    '{"a":1,"a":2}',
    '{"__proto__":1}',
    '[]',
    '{',
  ]) {
    // Unescaped brackets: 8,000 escaped ones are more than the head of a request may have.
    const text = encodeURIComponent(props).replaceAll('%5B', '[').replaceAll('%5D', ']');
    const answer = await send('POST', `/v1/sources?component_code=x&configured_props=${text}`);
    expectRefusal(props.slice(0, 20), answer);
    expect(answer.text).toContain('configured_props');
  }
});

test('refuses content types other than JSON, and invalid Idempotency-Keys', async () => {
  const body = '{"url":"https://example.com/"}';
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x']) {
    expect((await send('POST', '/v1/webhooks', { body, headers: { 'content-type': type } })).status).toBe(415);
  }
  for (const key of [' ', 'a b', 'x'.repeat(256), '\xe9']) {
    expectRefusal(key, await send('POST', '/v1/webhooks', { body, headers: { 'idempotency-key': key } }));
  }
});

test('fifty concurrent requests with one Idempotency-Key create one webhook, and another one gets 409', async () => {
  const webhooks = async (): Promise<number> => (await client.webhooks()).page_info.total_count;
  const webhooksBefore = await webhooks();
  const again = { idempotencyKey: 'once' };
  const created = await Promise.all(
    Array.from({ length: 50 }, () => client.createWebhook({ url: 'https://example.com/once' }, again)),
  );
  expect(new Set(created.map(({ id, signing_key: signingKey }) => `${id} ${signingKey}`)).size).toBe(1);
  expect(await webhooks()).toBe(webhooksBefore + 1);
  const other = client.createWebhook({ url: 'https://example.com/other' }, again);
  await expect(other).rejects.toMatchObject({ status: 409, code: 'idempotency_conflict' });
});

test('after all these requests the service is healthy and has logged no error', async () => {
  expect((await send('GET', '/health')).status).toBe(200);
  expect(fixture.product.output).not.toMatch(/"level":[56]0/);
});
