import { Buffer } from 'node:buffer';
import { until } from '../../../../../test/support/until.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { Answer } from '../../test-bed.fake.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
});
afterAll(() => bed?.stop());

interface Webhook {
  readonly id: string;
  readonly signing_key?: string;
  readonly [name: string]: unknown;
}
const dataOf = (answer: Answer): Webhook => answer.body.data as Webhook;
const url = 'https://example.com/hook';

test('a webhook can be created by query string with an empty JSON body', async () => {
  const answer = await bed.call('POST', '/v1/webhooks', {
    query: { url, name: 'n', ordered: 'false', retry_schedule: '1,2,3' },
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.text).toContain('wh_');
  expect(answer.status).toBe(200);
  expect(dataOf(answer)).toEqual({
    id: expect.stringMatching(/^wh_[0-9A-Za-z]{16}$/),
    user_id: expect.stringMatching(/^u_/),
    name: 'n',
    description: null,
    url,
    active: true,
    paused_at: null,
    disabled_reason: null,
    failing_since_ms: null,
    ordered: false,
    retry_schedule: [1, 2, 3],
    timeout_ms: 15_000,
    on_exhausted: 'park',
    order_key: null,
    max_in_flight: null,
    rate_limit: null,
    headers: {},
    signature: 'hmac-sha256',
    public_key: null,
    created_at: expect.any(Number),
    updated_at: expect.any(Number),
    signing_key: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
  });
});

test('a webhook can be created by JSON body, and is then read and listed without its signing key', async () => {
  const created = dataOf(await bed.call('POST', '/v1/webhooks/', { body: { url, description: 'd' } }));
  const { signing_key: key, ...shown } = created;
  expect(key).toBeDefined();
  expect(dataOf(await bed.call('GET', `/v1/webhooks/${created.id}`))).toEqual(shown);
  for (const list of ['/v1/webhooks', '/v1/users/me/webhooks/']) {
    const { body } = await bed.call('GET', list, { query: { limit: '1' } });
    expect(body.data).toEqual([shown]);
    const cursor = Buffer.from(created.id).toString('base64').replaceAll('=', '');
    expect(body.page_info).toMatchObject({ count: 1, start_cursor: cursor, end_cursor: cursor });
  }
});

test('an active webhook shows since when it fails, as long as an alert reports it', async () => {
  const { id } = dataOf(await bed.call('POST', '/v1/webhooks', { body: { url } }));
  const since = async (): Promise<unknown> =>
    dataOf(await bed.call('GET', `/v1/webhooks/${id}`))['failing_since_ms'] ?? 'works';
  expect(await since()).toBe('works');
  const alerts = bed.settings.alerts.forStage('delivery');
  alerts.raise('webhook_failing', id, 'It fails.', 1_700_000_000_000);
  await until('the alert', async () => (await since()) === 1_700_000_000_000);
  await bed.call('POST', `/v1/webhooks/${id}/pause`);
  expect(await since()).toBe('works');
  await bed.call('POST', `/v1/webhooks/${id}/resume`);
  expect(await since()).toBe(1_700_000_000_000);
  alerts.end('webhook_failing', id);
  await until('its end', async () => (await since()) === 'works');
});

test('the signing key is never in plain text on the log or in a view', async () => {
  const { id, signing_key: key = '' } = dataOf(await bed.call('POST', '/v1/webhooks', { body: { url } }));
  const stored = JSON.stringify([bed.log.records('commands'), bed.log.records('listeners')]);
  expect(stored).toContain(id);
  expect(stored).not.toContain(key);
  expect(JSON.stringify(await bed.views.live().get('webhooks', id))).not.toContain(key);
});

describe('with an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'first' };

  test('the same request makes one webhook, and returns its signing key again', async () => {
    const first = dataOf(await bed.call('POST', '/v1/webhooks', { body: { url, name: 'a' }, headers }));
    const again = await bed.call('POST', '/v1/webhooks', { query: { name: 'a', url }, headers });
    expect(again.status).toBe(200);
    expect(dataOf(again)).toEqual(first);
  });

  test('a different request is a conflict', async () => {
    const answer = await bed.call('POST', '/v1/webhooks', { body: { url, name: 'b' }, headers });
    expect([answer.status, answer.body.code]).toEqual([409, 'idempotency_conflict']);
  });

  test.each([[''], ['a b'], ['x'.repeat(256)], ['\u00e9']])(
    'refuses the key %j, which is not 1 to 255 characters of visible ASCII',
    async (key) => {
      const answer = await bed.call('POST', '/v1/webhooks', { body: { url }, headers: { 'idempotency-key': key } });
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    },
  );
});

test('a deleted webhook is gone at once, and deleting it again answers 404', async () => {
  const { id } = dataOf(await bed.call('POST', '/v1/webhooks', { body: { url } }));
  const deleted = await bed.call('DELETE', `/v1/webhooks/${id}`, { headers: { 'content-type': 'application/json' } });
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  for (const method of ['GET', 'DELETE'] as const) {
    const answer = await bed.call(method, `/v1/webhooks/${id}`);
    expect([answer.status, answer.body]).toEqual([404, { error: 'record not found', code: 'not_found' }]);
  }
});

test('pages list all webhooks forwards and back, even when those of a page are deleted meanwhile', async () => {
  const createdIds: string[] = [];
  for (let n = 0; n < 5; n++) createdIds.unshift(dataOf(await bed.call('POST', '/v1/webhooks', { body: { url } })).id);
  const page = async (query: Record<string, string>) => {
    const { body } = await bed.call('GET', '/v1/webhooks', { query: { limit: '2', ...query } });
    const info = body.page_info as { start_cursor: string; end_cursor: string };
    return { ids: (body.data as Webhook[]).map(({ id }) => id), ...info };
  };
  const first = await page({});
  for (const id of first.ids) await bed.call('DELETE', `/v1/webhooks/${id}`);
  const second = await page({ after: first.end_cursor });
  expect([...first.ids, ...second.ids].sort()).toEqual(createdIds.slice(0, 4).sort());
  const third = await page({ after: second.end_cursor });
  expect((await page({ before: third.start_cursor })).ids).toEqual(second.ids);
});

test.each([
  ['no url', {}],
  ['a relative url', { url: '/hook' }],
  ['another scheme', { url: 'ftp://example.com/' }],
  ['no host', { url: 'https://' }],
  ['a user in the url', { url: 'https://me:pw@example.com/' }],
  ['an empty user in the url', { url: 'https://@example.com/' }],
  ['a space in the url', { url: 'https://exa mple.com/' }],
  ['a number for the url', { url: 1 }],
  ['a number for the name', { url, name: 1 }],
  ['a text for a boolean', { url, ordered: 'true' }],
  ['an unknown field', { url, nope: 1 }],
  ['a negative wait', { url, retry_schedule: [-1] }],
  ['a fraction', { url, retry_schedule: [1.5] }],
  ['a huge number', { url, retry_schedule: [1e308] }],
  ['a wait of more than a day', { url, retry_schedule: [86_401] }],
  ['too many waits', { url, retry_schedule: Array.from({ length: 21 }, () => 1) }],
  ['a NUL character', { url, name: 'a\0b' }],
  ['a lone surrogate', { url, name: '\ud800' }],
])('answers 400 to a webhook with %s', async (_name, body) => {
  const answer = await bed.call('POST', '/v1/webhooks', { body });
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  expect(answer.body.error).toEqual(expect.any(String));
});

test.each([
  ['incomplete JSON', '{"url":', 'application/json', 400],
  ['a list', '[]', 'application/json', 400],
  ['a text', '"x"', 'application/json', 400],
  ['a prototype', `{"url":"${url}","__proto__":{"a":1}}`, 'application/json', 400],
  ['an escaped prototype', String.raw`{"url":"https://a.b/","\u005f_proto__":{"a":1}}`, 'application/json', 400],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'application/json', 400],
  ['endless nesting', '['.repeat(65_000), 'application/json', 400],
  ['a repeated name', `{"url":"${url}","url":"${url}"}`, 'application/json', 400],
  ['one byte more than 64 KiB', ' '.repeat(64 * 1024 + 1), 'application/json', 413],
  ['deep nesting', `{"url":${'['.repeat(1_000)}${']'.repeat(1_000)}}`, 'application/json', 400],
  ['a form', 'url=x', 'application/x-www-form-urlencoded', 415],
  ['plain text', 'url=x', 'text/plain', 415],
  ['a broken content type', '{}', ';;;', 415],
  ['too many bytes', ' '.repeat(2 * 1024 * 1024 + 1), 'application/json', 413],
])('refuses a body of %s with a reason', async (_name, body, type, status) => {
  const answer = await bed.call('POST', '/v1/webhooks', { body, headers: { 'content-type': type } });
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ error: expect.any(String), code: expect.stringMatching(/^[a-z_]+$/) });
});

test.each([
  ['a repeated parameter', 'url=https://a.b/&url=https://a.b/'],
  ['an unknown parameter', `url=${url}&nope=1`],
  ['a prototype', `url=${url}&__proto__=1`],
  ['a word for a number', `url=${url}&retry_schedule=1,x`],
  ['a NUL', `url=${url}&name=%00`],
])('answers 400 to a query string with %s', async (_name, query) => {
  const answer = await bed.call('POST', `/v1/webhooks?${query}`);
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
});

test('answers 400 to a parameter in both the query string and the body', async () => {
  const answer = await bed.call('POST', '/v1/webhooks', { query: { url }, body: { url } });
  expect(answer.status).toBe(400);
});

test.each([
  ['limit=0'],
  ['limit=101'],
  ['limit=x'],
  ['after=%21'],
  ['after=d2hfeA'],
  ['after=YQ&before=YQ'],
  ['nope=1'],
])('answers 400 to a list with %s', async (query) => {
  const answer = await bed.call('GET', `/v1/webhooks?${query}`);
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
});

test('returns only the included fields, or all but the excluded ones', async () => {
  const { id } = dataOf(await bed.call('POST', '/v1/webhooks', { body: { url, exclude: 'user_id' } }));
  const only = await bed.call('GET', `/v1/webhooks/${id}`, { query: { include: 'id,url' } });
  expect(dataOf(only)).toEqual({ id, url });
  const without = await bed.call('GET', `/v1/webhooks/${id}`, { query: { exclude: 'id,url' } });
  expect(dataOf(without)).not.toHaveProperty('url');
});

test.each([
  ['GET', { query: { limit: 'abc' } }, 'limit', 'limit must be an integer number'],
  ['GET', { query: { limit: '1000' } }, 'limit', 'limit must not be greater than 100'],
  ['POST', { body: { url: 'https://example.com/', name: 1 } }, 'name', 'name must be a string'],
] as const)('%s %j is answered with a single problem', async (method, asked, field, message) => {
  const answer = await bed.call(method, '/v1/webhooks', asked);
  expect([answer.status, answer.body.details]).toEqual([400, { problems: [{ field, message }] }]);
});
