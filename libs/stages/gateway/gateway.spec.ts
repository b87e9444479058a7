import { jest } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstOwnerOf, prepareFirstKey } from './first-key.ts';
import { TestBed, testMasterKey } from './test-bed.fake.ts';
import { MemoryLog } from '../../log/log.fake.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start({ limits: { outcomeMs: 2_000 } });
});
afterAll(() => bed?.stop());

const keyHashes = (log: MemoryLog): unknown[] =>
  log
    .records('workspaces')
    .filter(({ type }) => type === 'ApiKeyAdded')
    .map(({ data }) => (data as { hash: string }).hash);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('the first API key', () => {
  test('is in a file that only its owner can read, and on the log only as a hash', async () => {
    const file = join(bed.settings.dataDir, 'api-key');
    expect(bed.apiKey).toMatch(/^pd_[0-9A-Za-z]{40}$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(keyHashes(bed.log)).toEqual([sha256(bed.apiKey)]);
    expect(JSON.stringify(bed.log.records('commands'))).not.toContain(bed.apiKey);
  });

  test('is the same after a restart, and no command is sent again', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-'));
    const log = new MemoryLog({ partitions: 2 });
    const first = await TestBed.start({ log, dataDir });
    const key = await readFile(join(dataDir, 'api-key'), 'utf8');
    await first.stop();
    await writeFile(join(await recreated(dataDir), 'api-key'), key);
    await chmod(join(dataDir, 'api-key'), 0o644);
    const second = await TestBed.start({ log, dataDir });
    expect(second.apiKey).toBe(first.apiKey);
    expect(log.records('commands')).toHaveLength(1);
    expect((await stat(join(dataDir, 'api-key'))).mode & 0o777).toBe(0o600);
    await second.stop();
  });

  test('is replaced when its file is gone, and the old key stays valid', async () => {
    const log = new MemoryLog({ partitions: 2 });
    const first = await TestBed.start({ log });
    await first.stop();
    const second = await TestBed.start({ log });
    expect(second.apiKey).not.toBe(first.apiKey);
    for (const key of [first.apiKey, second.apiKey]) {
      const answer = await second.send('GET', '/v1/users/me', { headers: { authorization: `Bearer ${key}` } });
      expect(answer.status).toBe(200);
    }
    await second.stop();
  });

  test('is one key for gateways that start at once on one empty directory', async () => {
    const log = new MemoryLog({ partitions: 2 });
    const parent = await mkdtemp(join(tmpdir(), 'gateway-'));
    const start = () =>
      prepareFirstKey({
        dataDir: join(parent, 'data'),
        log,
        masterKey: testMasterKey,
        ambient: { now: Date.now, randomBytes },
        owner: firstOwnerOf(testMasterKey),
        logger: { warn: () => {} },
        isUsable: () => true,
        wasDeleted: () => false,
      });
    const hashes = await Promise.all([start(), start(), start()]);
    expect(new Set(hashes).size).toBe(1);
    expect(hashes[0]).toBe(sha256((await readFile(join(parent, 'data', 'api-key'), 'utf8')).trim()));
    await rm(parent, { recursive: true });
  });

  test('belongs to a workspace and a user with ids unique to the installation', () => {
    const owners = [testMasterKey, randomBytes(32)].map(firstOwnerOf);
    expect(new Set(owners.flatMap(({ workspace, userId }) => [workspace, userId])).size).toBe(4);
    expect(firstOwnerOf(testMasterKey)).toEqual(owners[0]);
  });

  test('when replaced, belongs to the first workspace on the log, whatever its id', async () => {
    const log = new MemoryLog({ partitions: 2 });
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-'));
    const owner = { workspace: 'o_first', userId: 'u_first' };
    const ambient = { now: Date.now, randomBytes };
    let requests = 0;
    await prepareFirstKey({
      dataDir,
      log,
      masterKey: testMasterKey,
      ambient,
      owner,
      logger: { warn: () => {} },
      isUsable: () => requests++ > 0,
      wasDeleted: () => false,
    });
    await (await TestBed.start({ log })).stop();
    const second = await TestBed.start({ log });
    expect((await second.call('GET', '/v1/users/me')).body.data).toMatchObject({ id: 'u_first' });
    await second.stop();
    await rm(dataDir, { recursive: true });
  });

  test('the gateway refuses to start when the file holds anything else', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-'));
    await writeFile(join(dataDir, 'api-key'), 'mine');
    await expect(TestBed.start({ dataDir })).rejects.toThrow('does not hold an API key');
  });

  test('the gateway refuses to start when the log was made with another master key', async () => {
    const log = new MemoryLog({ partitions: 2 });
    await (await TestBed.start({ log })).stop();
    await expect(TestBed.start({ log, masterKey: randomBytes(32) })).rejects.toThrow('master key');
  });
});

async function recreated(dataDir: string): Promise<string> {
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir);
  return dataDir;
}

test('/v1/users/me returns the user and workspace of the key', async () => {
  const { status, body } = await bed.call('GET', '/v1/users/me');
  expect([status, body]).toEqual([
    200,
    {
      data: {
        id: expect.stringMatching(/^u_/),
        username: 'owner',
        email: expect.any(String),
        orgs: [expect.objectContaining({ id: expect.stringMatching(/^o_/), orgname: 'default-workspace' })],
      },
    },
  ]);
});

test.each([
  ['no header', undefined],
  ['another scheme', 'Basic abc'],
  ['no key', 'Bearer '],
  ['an unknown key', `Bearer pd_${'0'.repeat(40)}`],
  ['a very long key', `Bearer ${'0'.repeat(5_000)}`],
])('with %s every resource answers 401', async (_name, authorization) => {
  for (const path of ['/v1/users/me', '/v1/webhooks', '/v1/sources/dc_1', '/v1/subscriptions']) {
    const answer = await bed.send('GET', path, authorization === undefined ? {} : { headers: { authorization } });
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized']);
  }
});

test('answers 404 to an unknown path and 405 to an unsupported method', async () => {
  for (const path of ['/nope', '/v1', '/v1/nope', '/v2/webhooks', '/v1/webhooks//', '/v1/sources/dc_1/runs//']) {
    const answer = await bed.call('GET', path);
    const error = expect.stringMatching(/no such route.*\/openapi\.json.*\/health/);
    expect([answer.status, answer.body]).toEqual([404, { error, code: 'not_found' }]);
  }
  const answer = await bed.call('PUT', '/v1/webhooks/');
  expect([answer.status, answer.body.code, answer.headers['allow']]).toEqual([
    405,
    'method_not_allowed',
    'GET, HEAD, POST',
  ]);
});

test.each([['/v1/webhooks/%'], ['/v1/webhooks/%00'], [`/v1/webhooks/${'x'.repeat(300)}`], ['/v1/webhooks/wh_%2f..']])(
  'refuses the path %s with a reason',
  async (path) => {
    const answer = await bed.call('GET', path);
    expect([400, 404, 414]).toContain(answer.status);
    expect(answer.body).toMatchObject({ error: expect.any(String), code: expect.any(String) });
  },
);

test.each([
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
  ['headers that are too long', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['an invalid content-length', 'POST /v1/webhooks HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n', 400],
])('a connection that sends %s gets an error and is closed', async (_name, bytes, status) => {
  if (!bed.app.getHttpServer().listening) await bed.app.listen(0, '127.0.0.1');
  const socket = connect((bed.app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
  socket.write(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(body)).toEqual({ error: expect.any(String), code: expect.any(String) });
});

test('answers 404 for another workspace', async () => {
  for (const path of ['/v1/orgs/o_0/sources', '/v1/workspaces/o_0/subscriptions', '/v1/webhooks?org_id=o_0']) {
    expect((await bed.call('GET', path)).status).toBe(404);
  }
});

test('/openapi.json describes the API and needs no key', async () => {
  const { status, body } = await bed.send('GET', '/openapi.json');
  const document = body as unknown as { openapi: string; paths: Record<string, Record<string, unknown>> };
  expect([status, document.openapi]).toEqual([200, expect.stringMatching(/^3\./)]);
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/v1/users/me', '/v1/webhooks', '/v1/sources/{id}/event_summaries']),
  );
  expect(document.paths['/v1/webhooks']?.['post']).toMatchObject({ requestBody: expect.anything() });
  expect(JSON.stringify(document.paths['/v1/webhooks']?.['get'])).toContain('"limit"');
});

test.each(['unavailable', 'unknown_outcome_committed', 'unknown_outcome_lost'] as const)(
  'a command whose append is %s gets 503 and can safely be repeated with its Idempotency-Key',
  async (fault) => {
    const request = {
      body: { url: 'https://example.com/' },
      headers: { 'idempotency-key': fault },
    };
    bed.log.failNextAppend(fault);
    const answer = await bed.call('POST', '/v1/webhooks', request);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    const again = await bed.call('POST', '/v1/webhooks', request);
    expect([again.status, (again.body.data as { signing_key: string }).signing_key]).toEqual([
      200,
      expect.stringMatching(/^whsec_/),
    ]);
  },
);

test('an unexpected error is answered with 500 without details', async () => {
  const find = jest.spyOn(bed.views.live(), 'find').mockRejectedValue(new Error('the password is hush'));
  const answer = await bed.call('GET', '/v1/webhooks');
  find.mockRestore();
  expect([answer.status, answer.body]).toEqual([500, { error: 'internal error', code: 'internal' }]);
});

test('a command without an outcome in time is answered with 503, as is a deploy that has not begun', async () => {
  const alone = await TestBed.start({ limits: { outcomeMs: 50 } });
  await alone.stopStages();
  for (const [path, body] of [
    ['/v1/webhooks', { url: 'https://example.com/' }],
    ['/v1/sources', { component_code: 'x' }],
  ] as const) {
    const answer = await alone.call('POST', path, { body });
    expect([answer.status, answer.body.code]).toEqual([503, 'unknown_outcome']);
  }
  await alone.stop();
});
