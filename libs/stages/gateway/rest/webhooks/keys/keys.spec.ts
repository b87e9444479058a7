import { jest } from '@jest/globals';
import { keyPairFromSeed } from '../../../../../domain/delivery/ed25519.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer } from '../../../test-bed.fake.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
});
afterAll(() => bed?.stop());

interface Webhook {
  readonly id: string;
  readonly signing_key?: string;
  readonly public_key: string | null;
  readonly [name: string]: unknown;
}

const dataOf = (answer: Answer): Webhook => answer.body.data as Webhook;
const make = async (body: object = {}, headers = {}): Promise<Webhook> =>
  dataOf(await bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/hook', ...body }, headers }));
const regenerate = (id: string, body: object = {}, key?: string): Promise<Answer> =>
  bed.call('POST', `/v1/webhooks/${id}/regenerate_signing_key`, {
    body,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });

interface Defined {
  readonly formerKeys?: readonly { readonly validUntil: number }[];
}

const definedOf = (id: string): Defined =>
  bed.log.records('webhooks').findLast(({ key }) => key === id)?.data as Defined;

test('shows a new key once, and keeps the former one valid for the given overlap', async () => {
  const created = await make();
  const answer = await regenerate(created.id, { overlap_seconds: 60 });
  const { signing_key: key = '', ...shown } = dataOf(answer);
  expect([answer.status, key.startsWith('whsec_'), key === created.signing_key]).toEqual([200, true, false]);
  expect(dataOf(await bed.call('GET', `/v1/webhooks/${created.id}`))).toEqual(shown);
  const [former] = definedOf(created.id).formerKeys ?? [];
  expect(Number(former?.validUntil) - Date.now()).toBeGreaterThan(50_000);
  expect(Number(former?.validUntil) - Date.now()).toBeLessThanOrEqual(60_000);
  await regenerate(created.id, { overlap_seconds: 0 });
  expect(definedOf(created.id).formerKeys).toEqual([]);
});

test('no signing key is in plain text on the log', async () => {
  const created = await make({ signature: 'ed25519' });
  const hmac = await make();
  const { signing_key: key = 'none' } = dataOf(await regenerate(hmac.id));
  const stored = JSON.stringify(
    ['commands', 'listeners', 'webhooks'].map((topic) => bed.log.records(topic as 'commands')),
  );
  expect(stored).toContain(created.public_key);
  for (const secret of [key, hmac.signing_key ?? 'none', 'whsk_']) expect(stored).not.toContain(secret);
});

describe('with an Idempotency-Key', () => {
  test('a repeat returns its own key again, even after a newer one was made', async () => {
    const created = await make({}, { 'idempotency-key': 'made' });
    const first = dataOf(await regenerate(created.id, {}, 'first'));
    expect(dataOf(await regenerate(created.id, {}, 'first')).signing_key).toBe(first.signing_key);
    const second = dataOf(await regenerate(created.id, { overlap_seconds: 0 }, 'second'));
    expect(dataOf(await regenerate(created.id, {}, 'first')).signing_key).toBe(first.signing_key);
    expect(dataOf(await regenerate(created.id, { overlap_seconds: 0 }, 'second')).signing_key).toBe(second.signing_key);
    expect((await make({}, { 'idempotency-key': 'made' })).signing_key).toBe(created.signing_key);
  });

  test('a different request, or one for another webhook, is a conflict', async () => {
    const [one, other] = [await make(), await make()];
    await regenerate(one.id, {}, 'mine');
    for (const answer of [
      await regenerate(one.id, { overlap_seconds: 1 }, 'mine'),
      await regenerate(other.id, {}, 'mine'),
    ])
      expect([answer.status, answer.body.code]).toEqual([409, 'idempotency_conflict']);
  });
});

test('a webhook with Ed25519 signatures shows its public key and never its private key', async () => {
  const created = await make({ signature: 'ed25519' });
  expect(created).toMatchObject({
    signature: 'ed25519',
    public_key: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
  });
  expect(created).not.toHaveProperty('signing_key');
  const next = dataOf(await regenerate(created.id));
  expect([next.signing_key, next['signature'], next.public_key === created.public_key]).toEqual([
    undefined,
    'ed25519',
    false,
  ]);
  expect(keyPairFromSeed(Buffer.alloc(32, 1)).publicKey).not.toBe(created.public_key);
});

test('a repeat while the views lag behind shows the public key that attempts are signed by', async () => {
  const { id, public_key: former } = await make({ signature: 'ed25519' }, { 'idempotency-key': 'made-pair' });
  const live = bed.views.live();
  const before = await live.get('webhooks', id);
  const next = dataOf(await regenerate(id, {}, 'next-pair'));
  const lagging = [
    jest.spyOn(live, 'checkpoint').mockResolvedValue({}),
    jest.spyOn(live, 'get').mockResolvedValue(before),
  ];
  try {
    await bed.withLimits({ viewsMs: 10 }, async () => {
      expect(dataOf(await regenerate(id, {}, 'next-pair')).public_key).toBe(next.public_key);
      const again = await make({ signature: 'ed25519' }, { 'idempotency-key': 'made-pair' });
      expect([again.id, again.public_key]).toEqual([id, next.public_key]);
    });
  } finally {
    for (const spy of lagging) spy.mockRestore();
  }
  expect(former).not.toBe(next.public_key);
});

test('changing the signature type makes a new key, but only once', async () => {
  const { id } = await make();
  const put = async (signature: string | null): Promise<Webhook> =>
    dataOf(await bed.call('PUT', `/v1/webhooks/${id}`, { body: { signature } }));
  const pair = await put('ed25519');
  expect(pair).toMatchObject({ signature: 'ed25519', public_key: expect.stringMatching(/^whpk_/) });
  expect((await put('ed25519')).public_key).toBe(pair.public_key);
  const back = await put(null);
  expect([back['signature'], back.public_key, back.signing_key?.startsWith('whsec_')]).toEqual([
    'hmac-sha256',
    null,
    true,
  ]);
  expect(await put('hmac-sha256')).not.toHaveProperty('signing_key');
  expect(definedOf(id).formerKeys).toHaveLength(2);
});

test('keeps at most ten valid keys', async () => {
  const { id } = await make();
  for (let n = 0; n < 12; n++) await regenerate(id);
  expect(definedOf(id).formerKeys).toHaveLength(9);
});

test.each([
  ['an overlap of more than a week', { overlap_seconds: 604_801 }],
  ['a negative overlap', { overlap_seconds: -1 }],
  ['a fraction of a second', { overlap_seconds: 0.5 }],
  ['a key chosen by the client', { signing_key: 'whsec_AAAA' }],
])('answers 400 to a new key with %s', async (_name, body) => {
  const { id } = await make();
  const answer = await regenerate(id, body);
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
});

test('answers 404 to an unknown webhook and 400 to an unknown signature type', async () => {
  expect((await regenerate('wh_AAAAAAAAAAAAAAAA')).status).toBe(404);
  const answer = await bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/', signature: 'md5' } });
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
});
