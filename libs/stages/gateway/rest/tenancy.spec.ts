import type { Manifest } from '../../../domain/component/manifest.ts';
import { TestBed } from '../test-bed.fake.ts';
import type { TestRequest } from '../test-bed.fake.ts';
import { askFromSecondWorkspace } from './second-workspace.fake.ts';
import type { Ask } from './second-workspace.fake.ts';

const manifest: Manifest = {
  name: 'Shared name',
  version: '0.0.1',
  type: 'source',
  props: [{ name: 'http', type: '$.interface.http' }],
  hooks: [],
  methods: [],
  additionalProps: false,
};
const code = { component_code: 'shared' };

let bed: TestBed;
let askAsStranger: Ask;
let owned: Record<'workspace' | 'user' | 'source' | 'webhook' | 'subscription' | 'key', string>;
beforeAll(async () => {
  bed = await TestBed.start({ limits: { outcomeMs: 5_000 } });
  bed.components.set('shared', { manifest });
  askAsStranger = await askFromSecondWorkspace(bed);
  owned = await createEveryKind((...asked) => bed.call(...asked));
});
afterAll(() => bed?.stop());

async function createEveryKind(ask: Ask): Promise<typeof owned> {
  const create = async (url: string, asked: TestRequest): Promise<{ id: string; owner_id?: string }> => {
    const { data } = (await ask('POST', url, asked)).body;
    return ([data].flat() as { id: string }[])[0] ?? { id: '' };
  };
  const source = await create('/v1/sources', { body: code });
  const { id: webhook } = await create('/v1/webhooks', { body: { url: 'https://example.com/' } });
  const { id } = await create('/v1/subscriptions', { body: { emitter_id: source.id, listener_id: webhook } });
  const user = ((await ask('GET', '/v1/users/me')).body.data as { id: string }).id;
  const { id: key } = await create('/v1/api_keys', { body: { name: 'other' } });
  return { workspace: source.owner_id ?? '', user, source: source.id, webhook, subscription: id, key };
}

const routesTo = ({ workspace: org, source, webhook, subscription, key }: typeof owned) =>
  [
    ['GET', `/v1/webhooks/${webhook}`],
    ['GET', `/v1/subscriptions/${subscription}`],
    ['GET', `/v1/subscriptions/${subscription}/deliveries`],
    ['GET', `/v1/subscriptions/${subscription}/positions`],
    ['GET', `/v1/sources/${source}`],
    ['GET', `/v1/sources/${source}/code`],
    ['GET', `/v1/sources/${source}/event_summaries`],
    ['GET', `/v1/sources/${source}/runs`],
    ['POST', `/v1/sources/${source}/run`],
    ['GET', `/v1/orgs/${org}/sources`],
    ['GET', `/v1/workspaces/${org}/subscriptions`],
    ['GET', `/v1/api_keys/${key}`],
    ['DELETE', `/v1/api_keys/${key}`],
    ['DELETE', `/v1/subscriptions?emitter_id=${source}&listener_id=${webhook}`],
    ['DELETE', `/v1/auto_subscriptions/${subscription}`],
    ['DELETE', `/v1/auto_subscriptions?listener_id=${webhook}`],
    ['DELETE', `/v1/subscriptions/${subscription}`],
    ['DELETE', `/v1/webhooks/${webhook}`],
    ['DELETE', `/v1/sources/${source}`],
  ] as const;

const unknownIds = {
  workspace: 'o_0000000000000000',
  user: 'u_0000000000000000',
  source: 'dc_0000000000000000',
  webhook: 'wh_0000000000000000',
  subscription: 'sub_0000000000000000',
  key: 'key_0000000000000000',
};

test('every route treats sources, webhooks and keys of another workspace as unknown', async () => {
  const unknown = routesTo(unknownIds);
  for (const [index, [method, url]] of routesTo(owned).entries()) {
    const foreign = await askAsStranger(method, url);
    expect([url, foreign.status]).toEqual([url, 404]);
    const [, same = ''] = unknown[index] ?? [];
    expect(foreign.text).toBe((await askAsStranger(method, same)).text);
  }
  for (const [method, url] of routesTo(owned)) {
    if (method === 'GET') expect([url, (await bed.call(method, url)).status]).toEqual([url, 200]);
  }
});

test('every route answers 404 when the id of another workspace is given', async () => {
  const own = await createEveryKind(askAsStranger);
  for (const [method, url] of [...routesTo(own), ['GET', '/v1/users/me'], ['GET', '/v1/sources']] as const) {
    for (const name of ['org_id', 'workspace_id']) {
      const answer = await askAsStranger(method, `${url}${url.includes('?') ? '&' : '?'}${name}=${owned.workspace}`);
      expect([url, answer.status]).toEqual([url, 404]);
    }
  }
  expect((await askAsStranger('GET', `/v1/sources/${own.source}?org_id=${own.workspace}`)).status).toBe(200);
});

test('events and runs of a deleted source of another workspace cannot be read', async () => {
  const { source } = await createEveryKind((...asked) => bed.call(...asked));
  expect((await bed.call('DELETE', `/v1/sources/${source}`)).status).toBe(204);
  for (const list of ['event_summaries', 'runs']) {
    expect((await bed.call('GET', `/v1/sources/${source}/${list}`)).status).toBe(200);
    expect((await askAsStranger('GET', `/v1/sources/${source}/${list}`)).status).toBe(404);
  }
});

test('refuses subscriptions across workspaces', async () => {
  const own = await createEveryKind(askAsStranger);
  for (const [emitter_id, listener_id] of [
    [owned.source, own.webhook],
    [own.source, owned.webhook],
    ['dc_*', owned.webhook],
    [owned.workspace, own.webhook],
    [owned.user, own.webhook],
    [own.workspace, owned.webhook],
    [owned.source, owned.webhook],
  ]) {
    expect((await askAsStranger('POST', '/v1/subscriptions', { body: { emitter_id, listener_id } })).status).toBe(404);
  }
  for (const emitter_id of [own.workspace, own.user]) {
    const body = { emitter_id, listener_id: own.webhook };
    expect((await askAsStranger('POST', '/v1/subscriptions', { body })).status).toBe(200);
  }
});

test('lists and totals leave out other workspaces, and lists refuse their cursors', async () => {
  const foreign = JSON.stringify((await Promise.all(lists.map((url) => bed.call('GET', url)))).map(({ body }) => body));
  for (const url of lists) {
    const { body } = await askAsStranger('GET', url);
    for (const { id } of body.data as { id: string }[]) expect(foreign).not.toContain(id);
    expect(body.page_info?.['total_count']).toBe((body.data as unknown[]).length);
  }
  for (const [index, id] of [owned.webhook, owned.subscription, owned.source].entries()) {
    const query = { after: Buffer.from(id).toString('base64') };
    expect((await askAsStranger('GET', lists[index] ?? '', { query })).status).toBe(400);
  }
});

const lists = ['/v1/webhooks', '/v1/subscriptions', '/v1/sources'];

test('the same Idempotency-Key is separate in each workspace', async () => {
  const request = { body: { url: 'https://example.com/same' }, headers: { 'idempotency-key': 'shared' } };
  const [one, other] = [
    await bed.call('POST', '/v1/webhooks', request),
    await askAsStranger('POST', '/v1/webhooks', request),
  ];
  expect([one.status, other.status]).toEqual([200, 200]);
  const [first, second] = [one, other].map(({ body }) => body.data as { id: string; signing_key: string });
  expect(second?.id).not.toBe(first?.id);
  expect(second?.signing_key).not.toBe(first?.signing_key);
});
