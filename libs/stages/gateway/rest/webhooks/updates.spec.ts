import { TestBed } from '../../test-bed.fake.ts';
import type { Answer, Asked } from '../../test-bed.fake.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
});
afterAll(() => bed?.stop());

type Webhook = Readonly<Record<string, unknown>> & { readonly id: string };

const dataOf = (answer: Answer): Webhook => answer.body.data as Webhook;
const url = 'https://example.com/hook';
const make = async (body: object = {}): Promise<Webhook> => {
  const { signing_key: _once, ...webhook } = dataOf(await bed.ask('POST', '/v1/webhooks', { body: { url, ...body } }));
  return webhook;
};
const put = (id: string, body: object, asked: Asked = {}): Promise<Answer> =>
  bed.ask('PUT', `/v1/webhooks/${id}`, { body, ...asked });

test('what is given changes, what is not given stays, and null is the default again', async () => {
  const made = await make({ name: 'n', retry_schedule: [1], timeout_ms: 2_000 });
  expect(made).toMatchObject({ timeout_ms: 2_000, paused_at: null, disabled_reason: null });
  const changes = { url: 'http://example.org/new', description: 'd', ordered: false };
  const changed = await put(made.id, changes);
  expect([changed.status, dataOf(changed)]).toEqual([
    200,
    { ...made, ...changes, updated_at: expect.any(Number) as number },
  ]);
  const back = dataOf(await put(made.id, { name: null, retry_schedule: null, timeout_ms: null, ordered: null }));
  expect(back).toMatchObject({ name: null, retry_schedule: null, timeout_ms: 15_000, ordered: true, description: 'd' });
  expect(dataOf(await bed.ask('GET', `/v1/webhooks/${made.id}`))).toEqual(back);
});

test('a webhook is changed from the query string too, and the answer has no signing key', async () => {
  const { id } = await make();
  const query = { timeout_ms: '1000', retry_schedule: '', active: 'false' };
  const answer = await bed.ask('PUT', `/v1/webhooks/${id}`, { query });
  expect(dataOf(answer)).toMatchObject({ timeout_ms: 1_000, retry_schedule: [], active: false });
  expect(dataOf(answer)).not.toHaveProperty('signing_key');
});

test('it is paused and resumed, by a request of its own or by `active`, again and again', async () => {
  const { id } = await make();
  const ask = async (action: string): Promise<Webhook> => dataOf(await bed.ask('POST', `/v1/webhooks/${id}/${action}`));
  const paused = await ask('pause');
  expect(paused).toMatchObject({ active: false, paused_at: expect.any(Number), disabled_reason: null });
  expect(await ask('pause')).toMatchObject({ active: false, paused_at: paused['paused_at'] });
  expect(await ask('resume')).toMatchObject({ active: true, paused_at: null });
  expect(await ask('resume')).toMatchObject({ active: true });
  expect(dataOf(await put(id, { active: false }))).toMatchObject({ active: false });
  expect(dataOf(await put(id, { active: true }))).toMatchObject({ active: true, paused_at: null });
});

test.each([
  ['no url', { url: null }],
  ['a relative url', { url: '/hook' }],
  ['a user in the url', { url: 'https://me:pw@example.com/' }],
  ['a timeout that is too short', { timeout_ms: 999 }],
  ['a timeout that is too long', { timeout_ms: 30_001 }],
  ['half a millisecond', { timeout_ms: 1_000.5 }],
  ['null for whether it is active', { active: null }],
  ['a text for whether it is active', { active: 'true' }],
  ['an unknown field', { nope: 1 }],
  ['another user', { user_id: 'u_1' }],
])('%s is a bad request', async (_name, body) => {
  const { id } = await make();
  const answer = await put(id, body);
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
});

test.each(['wh_AAAAAAAAAAAAAAAA', 'wh_x', 'sub_AAAAAAAAAAAAAAAA'])('there is no %s to change', async (id) => {
  for (const answer of [await put(id, { name: 'n' }), await bed.ask('POST', `/v1/webhooks/${id}/pause`)])
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
});

test('a deleted webhook cannot be changed any more', async () => {
  const { id } = await make();
  await bed.ask('DELETE', `/v1/webhooks/${id}`);
  expect((await put(id, { name: 'n' })).status).toBe(404);
});
