import { jest } from '@jest/globals';
import { TestBed } from '../../test-bed.fake.ts';
import type { Answer, TestRequest } from '../../test-bed.fake.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
});
afterAll(() => bed?.stop());

type Webhook = Readonly<Record<string, unknown>> & { readonly id: string };

const dataOf = (answer: Answer): Webhook => answer.body.data as Webhook;
const url = 'https://example.com/hook';
const make = async (body: object = {}): Promise<Webhook> => {
  const { signing_key: _once, ...webhook } = dataOf(await bed.call('POST', '/v1/webhooks', { body: { url, ...body } }));
  return webhook;
};
const put = (id: string, body: object, request: TestRequest = {}): Promise<Answer> =>
  bed.call('PUT', `/v1/webhooks/${id}`, { body, ...request });

test('changes the given fields, keeps the others, and restores defaults with null', async () => {
  const created = await make({ name: 'n', retry_schedule: [1], timeout_ms: 2_000 });
  expect(created).toMatchObject({ timeout_ms: 2_000, paused_at: null, disabled_reason: null });
  const changes = { url: 'http://example.org/new', description: 'd', ordered: false };
  const changed = await put(created.id, changes);
  expect([changed.status, dataOf(changed)]).toEqual([
    200,
    { ...created, ...changes, updated_at: expect.any(Number) as number },
  ]);
  const back = dataOf(await put(created.id, { name: null, retry_schedule: null, timeout_ms: null, ordered: null }));
  expect(back).toMatchObject({ name: null, retry_schedule: null, timeout_ms: 15_000, ordered: true, description: 'd' });
  expect(dataOf(await bed.call('GET', `/v1/webhooks/${created.id}`))).toEqual(back);
});

test('the answer shows the change even while the views lag', async () => {
  const { id } = await make({ name: 'before', signature: 'ed25519' });
  const live = bed.views.live();
  const before = await live.get('webhooks', id);
  const lagging = [
    jest.spyOn(live, 'checkpoint').mockResolvedValue({}),
    jest.spyOn(live, 'get').mockResolvedValue(before),
  ];
  try {
    await bed.withLimits({ viewsMs: 10 }, async () => {
      const changed = await put(id, { name: 'after', headers: { 'x-a': '1' } });
      expect([changed.status, dataOf(changed)]).toMatchObject([200, { name: 'after', headers: { 'x-a': '[secret]' } }]);
      const renewed = dataOf(await bed.call('POST', `/v1/webhooks/${id}/regenerate_signing_key`));
      expect(renewed['public_key']).toMatch(/^whpk_/);
      expect(renewed['public_key']).not.toBe(before?.value['publicKey']);
    });
  } finally {
    for (const spy of lagging) spy.mockRestore();
  }
});

test('a webhook can be changed by query string, and the answer has no signing key', async () => {
  const { id } = await make();
  const query = { timeout_ms: '1000', retry_schedule: '', active: 'false' };
  const answer = await bed.call('PUT', `/v1/webhooks/${id}`, { query });
  expect(dataOf(answer)).toMatchObject({ timeout_ms: 1_000, retry_schedule: [], active: false });
  expect(dataOf(answer)).not.toHaveProperty('signing_key');
});

test('a webhook can be paused and resumed repeatedly, by its own routes or by `active`', async () => {
  const { id } = await make();
  const ask = async (action: string): Promise<Webhook> =>
    dataOf(await bed.call('POST', `/v1/webhooks/${id}/${action}`));
  const paused = await ask('pause');
  expect(paused).toMatchObject({ active: false, paused_at: expect.any(Number), disabled_reason: null });
  expect(await ask('pause')).toMatchObject({ active: false, paused_at: paused['paused_at'] });
  expect(await ask('resume')).toMatchObject({ active: true, paused_at: null });
  expect(await ask('resume')).toMatchObject({ active: true });
  expect(dataOf(await put(id, { active: false }))).toMatchObject({ active: false });
  expect(dataOf(await put(id, { active: null }))).toMatchObject({ active: false });
  expect(dataOf(await put(id, { active: true }))).toMatchObject({ active: true, paused_at: null });
  expect(dataOf(await put(id, { active: null }))).toMatchObject({ active: true });
});

test.each([
  ['no url', { url: null }],
  ['a relative url', { url: '/hook' }],
  ['a user in the url', { url: 'https://me:pw@example.com/' }],
  ['a timeout that is too short', { timeout_ms: 999 }],
  ['a timeout that is too long', { timeout_ms: 30_001 }],
  ['a fraction of a millisecond', { timeout_ms: 1_000.5 }],
  ['a text for active', { active: 'true' }],
  ['a header of the service', { headers: { 'Webhook-Id': 'x' } }],
  ['a list of headers', { headers: ['x'] }],
  ['a number in a header', { headers: { 'x-a': 1 } }],
  ['an unknown on_exhausted', { on_exhausted: 'drop' }],
  ['an invalid order_key', { order_key: 'customer' }],
  ['a number for order_key', { order_key: 7 }],
  ['a max_in_flight of zero', { max_in_flight: 0 }],
  ['a max_in_flight that is too large', { max_in_flight: 257 }],
  ['a rate limit of zero', { rate_limit: 0 }],
  ['an unknown field', { nope: 1 }],
  ['another user', { user_id: 'u_1' }],
])('answers 400 to a change with %s', async (_name, body) => {
  const { id } = await make();
  const answer = await put(id, body);
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
});

test.each(['wh_AAAAAAAAAAAAAAAA', 'wh_x', 'sub_AAAAAAAAAAAAAAAA'])(
  'answers 404 to a change of the unknown webhook %s',
  async (id) => {
    for (const answer of [await put(id, { name: 'n' }), await bed.call('POST', `/v1/webhooks/${id}/pause`)])
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  },
);

test('a deleted webhook cannot be changed', async () => {
  const { id } = await make();
  await bed.call('DELETE', `/v1/webhooks/${id}`);
  expect((await put(id, { name: 'n' })).status).toBe(404);
});

test('shows the delivery settings, and restores their defaults with null', async () => {
  const policy = { on_exhausted: 'block', order_key: '/customer/id', max_in_flight: 256, rate_limit: 10_000 };
  const created = await make(policy);
  expect(created).toMatchObject(policy);
  const defaults = { on_exhausted: 'park', order_key: null, max_in_flight: null, rate_limit: null };
  expect(
    dataOf(await put(created.id, { on_exhausted: null, order_key: null, max_in_flight: null, rate_limit: null })),
  ).toMatchObject(defaults);
  expect(dataOf(await put(created.id, { rate_limit: 1 }))).toMatchObject({ ...defaults, rate_limit: 1 });
});

describe('headers', () => {
  const secret = 'hush-4711';

  test('are shown without values, kept when sent back as shown, and never in plain text on the log', async () => {
    const created = await make({ headers: { Authorization: `Bearer ${secret}`, 'X-Team': 'a' } });
    expect(created['headers']).toEqual({ authorization: '[secret]', 'x-team': '[secret]' });
    const changed = dataOf(await put(created.id, { headers: { ...(created['headers'] as object), 'x-more': secret } }));
    expect(changed['headers']).toEqual({ authorization: '[secret]', 'x-more': '[secret]', 'x-team': '[secret]' });
    const of = (id: string) => bed.log.records('webhooks').findLast(({ key }) => key === id)?.data;
    expect(of(created.id)).toMatchObject({
      headers: [{ name: 'authorization' }, { name: 'x-more' }, { name: 'x-team' }],
    });
    const stored = ['commands', 'listeners', 'webhooks'].map((topic) => bed.log.records(topic as 'commands'));
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(dataOf(await put(created.id, { name: 'n' }))['headers']).toEqual(changed['headers']);
    expect(dataOf(await put(created.id, { headers: null }))['headers']).toEqual({});
  });

  test('with an Idempotency-Key, a repeat makes one webhook and another value is a conflict', async () => {
    const ask = (value: string): Promise<Answer> =>
      bed.call('POST', '/v1/webhooks', {
        body: { url, headers: { 'x-a': value } },
        headers: { 'idempotency-key': 'headers' },
      });
    const first = await ask(secret);
    expect(dataOf(await ask(secret))).toEqual(dataOf(first));
    expect((await ask('other')).status).toBe(409);
  });

  test('are refused by name when sent as shown without a value that could stay', async () => {
    const { id } = await make({ headers: { 'x-a': secret } });
    const headers = { 'X-A': '[secret]', 'x-z': '[secret]' };
    const created = await bed.call('POST', '/v1/webhooks', { body: { url, headers: { 'x-z': '[secret]' } } });
    for (const answer of [await put(id, { headers }), created]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
      expect(answer.body.details).toMatchObject({
        problems: [{ field: 'headers', message: expect.stringContaining('x-z') }],
      });
    }
    expect(dataOf(await bed.call('GET', `/v1/webhooks/${id}`))['headers']).toEqual({ 'x-a': '[secret]' });
    expect(dataOf(await put(id, { headers: { 'X-A': '[secret]' } }))['headers']).toEqual({ 'x-a': '[secret]' });
    expect((await put('wh_AAAAAAAAAAAAAAAA', { headers })).status).toBe(404);
  });

  test('a refusal names the header but not its value', async () => {
    const answer = await bed.call('POST', '/v1/webhooks', { body: { url, headers: { 'x-a': `${secret}\n` } } });
    expect([answer.status, answer.text.includes('x-a'), answer.text.includes(secret)]).toEqual([400, true, false]);
  });
});
