import { TestBed } from '../../../test-bed.fake.ts';

const path = '/v1/auto_subscriptions';

let bed: TestBed;
let listener_id: string;
beforeAll(async () => {
  bed = await TestBed.start();
  const { body } = await bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/' } });
  listener_id = (body.data as { id: string }).id;
});
afterAll(() => bed?.stop());

interface CreatedSubscription {
  readonly id: string;
  readonly emitter_id: string;
}

const idsIn = async (url: string, query: Record<string, string> = {}): Promise<string[]> =>
  ((await bed.call('GET', url, { query })).body.data as CreatedSubscription[]).map(({ id }) => id);

async function subscribe(event_name: string): Promise<CreatedSubscription> {
  const answer = await bed.call('POST', path, { query: { event_name, listener_id } });
  expect(answer.status).toBe(200);
  const [created] = answer.body.data as CreatedSubscription[];
  if (created === undefined) throw new Error('no subscription in the answer');
  return created;
}

test('an auto-subscription is a subscription to every source, created once, listed and deleted', async () => {
  const created = await subscribe('$errors');
  expect(created).toMatchObject({ emitter_id: 'dc_*', listener_id, event_name: '$errors' });
  const again = { emitter_id: 'dc_*', listener_id, event_name: '$errors' };
  expect((await bed.call('POST', '/v1/subscriptions', { body: again })).body.data).toEqual([created]);
  expect(await subscribe('$errors')).toEqual(created);
  const logs = await subscribe('$logs');
  const owner = bed.log.records('workspaces')[0]?.workspace ?? '';
  const { body } = await bed.call('POST', '/v1/subscriptions', { body: { ...again, emitter_id: owner } });
  const [ofOwner] = body.data as CreatedSubscription[];
  expect(await idsIn(path)).toEqual([logs.id, created.id]);
  expect(await idsIn(path, { limit: '1', after: Buffer.from(logs.id).toString('base64') })).toEqual([created.id]);
  expect(await idsIn('/v1/subscriptions')).toEqual([ofOwner?.id, logs.id, created.id]);
  expect((await bed.call('DELETE', `${path}/${ofOwner?.id}`)).status).toBe(404);
  expect((await bed.call('DELETE', `${path}/${logs.id}`)).status).toBe(204);
  expect((await bed.call('DELETE', path, { query: { event_name: '$errors', listener_id } })).status).toBe(204);
  expect((await bed.call('DELETE', path, { query: { event_name: '$errors', listener_id } })).status).toBe(404);
  expect(await idsIn(path)).toEqual([]);
});

test('Idempotency-Keys of auto-subscriptions are separate from those of subscriptions', async () => {
  const headers = { 'idempotency-key': 'same' };
  const body = { listener_id, event_name: 'a' };
  const first = await bed.call('POST', path, { body, headers });
  expect((await bed.call('POST', path, { body, headers })).body.data).toEqual(first.body.data);
  const other = { ...body, emitter_id: 'dc_*', event_name: 'b' };
  expect((await bed.call('POST', '/v1/subscriptions', { body: other, headers })).status).toBe(200);
  expect((await bed.call('POST', path, { body: { ...body, event_name: 'c' }, headers })).status).toBe(409);
});

test.each([
  [404, { listener_id: 'wh_0000000000000000' }],
  [404, { listener_id: 'dc_0000000000000000' }],
  [400, { listener_id: 'dc_*' }],
  [400, { event_name: '$in' }],
  [400, { emitter_id: 'dc_*' }],
])('answers %i to %j', async (status, change) => {
  const answer = await bed.call('POST', path, { body: { listener_id, event_name: '$errors', ...change } });
  expect(answer.status).toBe(status);
});
