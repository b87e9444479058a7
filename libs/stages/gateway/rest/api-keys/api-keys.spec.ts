import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../../../test/support/until.ts';
import { MemoryLog } from '../../../../log/log.fake.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { Answer, TestRequest } from '../../test-bed.fake.ts';

interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly last_used_at: number | null;
}

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
});
afterAll(() => bed?.stop());

const dataOf = (answer: Answer): CreatedKey => answer.body.data as CreatedKey;
const create = async (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  bed.call('POST', '/v1/api_keys', { body, headers });
const sendWith =
  (key: string) =>
  (
    method: 'GET' | 'POST' | 'DELETE' | 'HEAD',
    url: string,
    { headers, ...request }: TestRequest = {},
  ): Promise<Answer> =>
    bed.send(method, url, { ...request, headers: { authorization: `Bearer ${key}`, ...headers } });

test('shows a key only in the answer that creates it, and logs only its hash', async () => {
  const before = Date.now();
  const answer = await create({ name: 'CI', expires_at: before + 60_000 });
  const { key, ...record } = dataOf(answer);
  expect([answer.status, key]).toEqual([200, expect.stringMatching(/^pd_[0-9A-Za-z]{40}$/)]);
  expect(record).toEqual({
    id: expect.stringMatching(/^key_[0-9A-Za-z]{16}$/),
    name: 'CI',
    scopes: ['read', 'write'],
    hint: key.slice(0, 7),
    expires_at: before + 60_000,
    last_used_at: null,
    created_at: expect.any(Number),
  });
  expect((await bed.call('GET', `/v1/api_keys/${record.id}`)).body.data).toEqual(record);
  const list = await bed.call('GET', '/v1/api_keys');
  expect(list.body.data).toEqual([
    record,
    expect.objectContaining({ name: 'First API key', hint: bed.apiKey.slice(0, 7), last_used_at: expect.any(Number) }),
  ]);
  expect(list.text).not.toContain(key);
  expect(JSON.stringify([bed.log.records('commands'), bed.log.records('workspaces')])).not.toContain(key);
});

test('refuses scopes that are not a list, and says so', async () => {
  const expectedDetails = { details: { problems: [{ field: 'scopes', message: 'scopes must be an array' }] } };
  for (const scopes of ['read', {}, 5])
    expect((await create({ name: 'x', scopes })).body).toMatchObject(expectedDetails);
  const query = (scopes: string): Promise<Answer> => bed.call('POST', `/v1/api_keys?name=x&scopes=${scopes}`);
  expect((await query('read')).body).toMatchObject(expectedDetails);
  expect(dataOf(await query('["read"]'))).toMatchObject({ scopes: ['read'] });
});

test('a key can do only what its scopes allow and otherwise gets 403', async () => {
  const reader = sendWith(dataOf(await create({ name: 'reader', scopes: ['read'] })).key);
  const writer = sendWith(dataOf(await create({ name: 'writer', scopes: ['write'] })).key);
  const webhook = { body: { url: 'https://example.com/' } };
  expect([
    (await reader('GET', '/v1/webhooks')).status,
    (await writer('POST', '/v1/webhooks', webhook)).status,
  ]).toEqual([200, 200]);
  for (const refused of [
    await reader('POST', '/v1/webhooks', webhook),
    await reader('DELETE', '/v1/webhooks/wh_0000000000000000'),
    await writer('GET', '/v1/users/me'),
  ])
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  expect((await writer('HEAD', '/v1/users/me')).status).toBe(403);
});

test('an audit key reads only history, and a key that can read and write can create one', async () => {
  const auditor = sendWith(dataOf(await create({ name: 'auditor', scopes: ['audit'] })).key);
  expect((await auditor('GET', '/v1/history')).status).toBe(200);
  for (const path of ['/v1/users/me', '/v1/api_keys', '/v1/stats'])
    expect([path, (await auditor('GET', path)).status]).toEqual([path, 403]);
  expect((await auditor('POST', '/v1/api_keys', { body: { name: 'x' } })).status).toBe(403);
  const reader = sendWith(dataOf(await create({ name: 'reader', scopes: ['read'] })).key);
  for (const path of ['/v1/history', '/v1/%68istory', '/v1/history?limit=1'])
    expect([path, (await reader('GET', path)).status]).toEqual([path, 403]);
  expect((await bed.call('GET', '/v1/history')).status).toBe(200);
  expect(bed.log.records('workspaces').findLast(({ type }) => type === 'ApiKeyCreated')?.version).toBe(6);
  expect(bed.log.records('workspaces').find(({ data }) => JSON.stringify(data).includes('auditor'))?.version).toBe(7);
});

test('a key passes on only scopes that it has, and all of them by default', async () => {
  const writer = sendWith(dataOf(await create({ name: 'only writes', scopes: ['write'] })).key);
  const more = await writer('POST', '/v1/api_keys', { body: { name: 'x', scopes: ['read', 'write'] } });
  expect([more.status, more.body.code]).toEqual([403, 'forbidden']);
  expect((await writer('POST', '/v1/api_keys', { body: { name: 'y' } })).body.data).toMatchObject({
    scopes: ['write'],
  });
});

test('a deleted key is refused at once and no longer listed', async () => {
  const { id, key } = dataOf(await create({ name: 'short-lived' }));
  const caller = sendWith(key);
  expect((await caller('GET', '/v1/users/me')).status).toBe(200);
  expect((await caller('DELETE', `/v1/api_keys/${id}`)).status).toBe(204);
  const refused = await caller('GET', '/v1/users/me');
  expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized']);
  expect((await bed.call('GET', `/v1/api_keys/${id}`)).status).toBe(404);
  expect((await bed.call('DELETE', `/v1/api_keys/${id}`)).status).toBe(404);
  expect(JSON.stringify((await bed.call('GET', '/v1/api_keys', { query: { limit: '100' } })).body)).not.toContain(id);
});

test('a key is refused from the moment it expires', async () => {
  const { key } = dataOf(await create({ name: 'expires', expires_at: Date.now() + 2_000 }));
  const caller = sendWith(key);
  expect((await caller('GET', '/v1/users/me')).status).toBe(200);
  const answer = await until('the key to expire', async () => {
    const answer = await caller('GET', '/v1/users/me');
    return answer.status !== 200 && answer;
  });
  expect([answer.status, answer.body.error]).toEqual([401, expect.stringContaining('expired')]);
});

test('repeating a request with its Idempotency-Key returns the same key, and a different request is a conflict', async () => {
  const headers = { 'idempotency-key': 'once' };
  const first = dataOf(await create({ name: 'again' }, headers));
  expect(dataOf(await create({ name: 'again' }, headers))).toEqual(first);
  const other = await create({ name: 'another' }, headers);
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
  await bed.call('DELETE', `/v1/api_keys/${first.id}`);
  expect((await create({ name: 'again' }, headers)).status).toBe(409);
});

test('pages list every key once, newest first', async () => {
  const all = (await bed.call('GET', '/v1/api_keys', { query: { limit: '100' } })).body.data as CreatedKey[];
  const paged: CreatedKey[] = [];
  for (let after = ''; ;) {
    const { body } = await bed.call('GET', '/v1/api_keys', { query: { limit: '2', after } });
    const page = body.data as CreatedKey[];
    if (page.length === 0) break;
    paged.push(...page);
    after = String(body.page_info?.['end_cursor']);
  }
  expect(all.length).toBeGreaterThan(5);
  expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
});

test.each([
  [{}, 'name'],
  [{ name: '' }, 'name'],
  [{ name: 'x', scopes: [] }, 'scopes'],
  [{ name: 'x', scopes: ['admin'] }, 'scopes'],
  [{ name: 'x', scopes: ['read', 'read'] }, 'scopes'],
  [{ name: 'x', expires_at: 1 }, 'expires_at'],
  [{ name: 'x', expires_at: 'soon' }, 'expires_at'],
])('refuses %j and names the field %s', async (body, field) => {
  const answer = await create(body);
  expect([answer.status, answer.body.details]).toEqual([
    400,
    { problems: [{ field, message: expect.stringContaining(field) }] },
  ]);
});

test('the last key that can write cannot be deleted, and a deleted key in the file does not prevent a start', async () => {
  const log = new MemoryLog({ partitions: 2 });
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-'));
  const ownBed = await TestBed.start({ log, dataDir });
  const [first] = (await ownBed.call('GET', '/v1/api_keys')).body.data as CreatedKey[];
  const refused = await ownBed.call('DELETE', `/v1/api_keys/${first?.id}`);
  expect([refused.status, refused.body.code]).toEqual([409, 'last_key']);
  const { key } = dataOf(await ownBed.call('POST', '/v1/api_keys', { body: { name: 'other' } }));
  expect((await ownBed.call('DELETE', `/v1/api_keys/${first?.id}`)).status).toBe(204);
  expect((await ownBed.call('GET', '/v1/users/me')).status).toBe(401);
  await ownBed.stop();
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, 'api-key'), ownBed.apiKey);
  const again = await TestBed.start({ log, dataDir });
  expect((await again.call('GET', '/v1/users/me')).status).toBe(401);
  const headers = { authorization: `Bearer ${key}` };
  expect((await again.send('GET', '/v1/users/me', { headers })).status).toBe(200);
  await again.stop();
});
