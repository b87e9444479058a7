import { randomBytes } from 'node:crypto';
import type { Manifest, PropDefinition } from '../../../../domain/component/manifest.ts';
import type { JsonObject } from '../../../../domain/json.ts';
import { until } from '../../../../../test/support/until.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { Answer, TestRequest } from '../../test-bed.fake.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start({ limits: { outcomeMs: 20_000 } });
}, 60_000);
afterAll(() => bed?.stop());

interface AccountData {
  readonly id: string;
  readonly [name: string]: unknown;
}
const dataOf = ({ body }: Answer): AccountData => body.data as AccountData;
const list = ({ body }: Answer): readonly AccountData[] => body.data as readonly AccountData[];
const secret = 'ghp_hush-hush';
const credentials = { oauth_access_token: secret };
const post = (url: string, body: object, headers: TestRequest['headers'] = {}): Promise<Answer> =>
  bed.call('POST', url, { body, headers });
const make = async (body: object = {}, headers: TestRequest['headers'] = {}): Promise<AccountData> =>
  dataOf(await post('/v1/accounts', { app: 'github', credentials, ...body }, headers));
const get = (url: string): Promise<Answer> => bed.call('GET', url);

/** Deploys a source with a required app prop, whose `run` emits its `$auth`. */
async function deploy(accountId: string): Promise<Answer> {
  const props: readonly PropDefinition[] = [{ name: 'github', type: 'app', app: 'github' }];
  const manifest: Manifest = {
    name: 'issues',
    version: '1',
    type: 'source',
    props,
    methods: [],
    additionalProps: false,
    hooks: [],
  };
  const component_code = `this.$auth.oauth_access_token ${randomBytes(4).toString('hex')}`;
  bed.components.set(component_code, {
    manifest,
    run: ({ emit, props: given, console }) => {
      const { auth } = given['github'] as { readonly auth: JsonObject };
      console(`I say ${JSON.stringify(auth)}`);
      emit({ event: String(auth['oauth_access_token']).length });
    },
  });
  return post('/v1/sources', { component_code, configured_props: { github: { authProvisionId: accountId } } });
}
async function run(id: string): Promise<AccountData> {
  return dataOf(await bed.call('POST', `/v1/sources/${id}/run`, { query: { wait: '1' } }));
}

test('shows credentials of an account only on request, and only to a key that can write', async () => {
  const created = await make({ name: 'Our bot' });
  const { id } = created;
  expect(created).toEqual({
    id: expect.stringMatching(/^apn_/),
    name: 'Our bot',
    credential_fields: ['oauth_access_token'],
    app: { id: expect.stringMatching(/^app_/), name_slug: 'github', name: 'GitHub' },
    created_at: expect.stringMatching(/^20\d\d-.*Z$/),
    updated_at: created['created_at'],
  });
  expect(dataOf(await get(`/v1/accounts/${id}`))).toEqual(created);
  expect(dataOf(await get(`/v1/accounts/${id}?include_credentials=1`))).toEqual({ ...created, credentials });
  expect(list(await get('/v1/accounts?include_credentials=1'))[0]).toEqual({ ...created, credentials });
  expect(list(await get('/v1/accounts'))[0]).toEqual(created);
  const { key } = dataOf(await post('/v1/api_keys', { name: 'reader', scopes: ['read'] }));
  const headers = { authorization: `Bearer ${String(key)}` };
  for (const url of ['/v1/accounts', `/v1/accounts/${id}`]) {
    expect((await bed.call('GET', url, { headers })).status).toBe(200);
    const refused = await bed.call('GET', url, { query: { include_credentials: '1' }, headers });
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  }
});

test('credentials are never in plain text on the log or in a view', async () => {
  await make({ credentials: { api_key: 'not-to-be-found' } });
  const stored = JSON.stringify(
    ['commands', 'connections', 'accounts'].map((topic) => bed.log.records(topic as 'accounts')),
  );
  expect(stored).toContain('apn_');
  expect(stored).not.toContain('not-to-be-found');
  const views = await bed.parts
    .views()
    .find('accounts', { index: 'byApp', equals: [], order: 'descending', limit: 100 })
    .catch(() => []);
  expect(JSON.stringify(views)).not.toContain('not-to-be-found');
});

test('lists accounts newest first and in pages, filtered by app or a part of the name', async () => {
  const [a, b] = [await make({ app: 'acme_crm', name: 'First one' }), await make({ app: 'acme_crm', name: 'second' })];
  const ids = async (query: string): Promise<readonly string[]> =>
    list(await get(`/v1/accounts?${query}`)).map(({ id }) => id);
  expect(await ids('app=acme_crm')).toEqual([b.id, a.id]);
  expect(await ids('app=acme_crm&q=FIRST')).toEqual([a.id]);
  const page = await get('/v1/accounts?app=acme_crm&limit=1');
  expect(page.body.page_info).toMatchObject({
    total_count: 2,
    count: 1,
    end_cursor: Buffer.from(b.id).toString('base64').replace(/=+$/, ''),
  });
  await bed.call('DELETE', `/v1/accounts/${b.id}`);
  expect(await ids(`app=acme_crm&after=${String(page.body.page_info?.['end_cursor'])}`)).toEqual([a.id]);
});

test('a request repeated with its Idempotency-Key runs once, and a different one is a conflict', async () => {
  const headers = { 'idempotency-key': 'account-1' };
  const first = await make({}, headers);
  expect(await make({}, headers)).toEqual(first);
  const other = await post('/v1/accounts', { app: 'github', credentials: { oauth_access_token: 'x' } }, headers);
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
});

test.each<[string, object, RegExp]>([
  ['no app', { app: undefined }, /slug/],
  ['an app that is not a slug', { app: 'Git Hub' }, /slug/],
  ['no credentials', { credentials: {} }, /at least one/],
  ['a credential that is a number', { credentials: { pin: 123_456 } }, /pin must be text/],
  ['an empty name', { name: '' }, /name/],
])('refuses an account with %s', async (_name, body, message) => {
  const refused = await post('/v1/accounts', { app: 'github', credentials, ...body });
  expect([refused.status, refused.text]).toEqual([400, expect.stringMatching(message)]);
  expect(refused.text).not.toContain(secret);
});

test('refuses credentials in a query string, because query strings end up in logs', async () => {
  const query = { app: 'github', credentials: JSON.stringify(credentials) };
  expect((await bed.call('POST', '/v1/accounts', { query })).status).toBe(400);
});

test('a run gets the credentials, masks them in its console, and gets new ones once they are replaced', async () => {
  const account = await make();
  const deployed = await deploy(account.id);
  expect([deployed.status, dataOf(deployed)['configured_props']]).toEqual([
    200,
    { github: { authProvisionId: account.id } },
  ]);
  const { id } = dataOf(deployed);
  // A run can be shown before its event.
  const emittedBy = async (ended: AccountData): Promise<unknown> => {
    const isOf = (event: AccountData): boolean => (ended['emitted'] as readonly string[]).includes(event.id);
    const listEvents = () => get(`/v1/sources/${id}/event_summaries?expand=event`);
    return (await until('its event', async () => list(await listEvents()).find(isOf)))['event'];
  };
  const ended = await run(id);
  expect(ended).toMatchObject({ outcome: 'succeeded', console: [{ text: 'I say {"oauth_access_token":"[secret]"}' }] });
  expect(await emittedBy(ended)).toBe(secret.length);
  const changed = await bed.call('PUT', `/v1/accounts/${account.id}`, {
    body: { credentials: { oauth_access_token: 'x' } },
  });
  expect([changed.status, dataOf(changed)['name']]).toEqual([200, null]);
  expect((await bed.call('PUT', `/v1/accounts/${account.id}`, { body: { credentials: null } })).status).toBe(200);
  const deadline = Date.now() + 15_000;
  for (let begunAt = Date.now(); (await emittedBy(await run(id))) !== 1; begunAt = Date.now())
    expect(begunAt).toBeLessThan(deadline);
});

test('deletes an account in use only by force; its runs then fail with the reason until they get another account', async () => {
  const account = await make();
  const { id } = dataOf(await deploy(account.id));
  const refused = await bed.call('DELETE', `/v1/accounts/${account.id}`);
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'account_in_use', details: { sources: [{ id, name: expect.stringContaining('issues') }] } },
  ]);
  expect((await bed.call('DELETE', `/v1/accounts/${account.id}`, { query: { force: 'true' } })).status).toBe(204);
  expect((await get(`/v1/accounts/${account.id}`)).status).toBe(404);
  const message = `The account ${account.id} of the prop "github" was deleted. Give the source another account, or delete the source.`;
  for (const deadline = Date.now() + 15_000; ;) {
    const begunAt = Date.now();
    const { outcome, error } = await run(id);
    if (outcome === 'refused') {
      expect(error).toMatchObject({ name: 'AccountGoneError', message });
      break;
    }
    expect(begunAt).toBeLessThan(deadline);
  }
  const redeployed = await deploy(account.id);
  expect([redeployed.status, redeployed.text]).toEqual([400, expect.stringContaining('not in this workspace')]);
  const other = await make();
  const props = { configured_props: { github: { authProvisionId: other.id } } };
  expect((await bed.call('PUT', `/v1/sources/${id}`, { body: props })).status).toBe(200);
  expect(await run(id)).toMatchObject({ outcome: 'succeeded' });
});

test('the catalogue of apps has the well-known apps, and the $auth fields that components read', async () => {
  await deploy((await make()).id);
  const github = dataOf(await get('/v1/apps/github'));
  expect(github).toMatchObject({ name_slug: 'github', name: 'GitHub', auth_type: 'oauth', has_triggers: true });
  expect(JSON.parse(String(github['custom_fields_json']))).toEqual([
    {
      name: 'oauth_access_token',
      label: 'Oauth access token',
      description: null,
      default: null,
      optional: false,
      type: 'password',
    },
  ]);
  expect(dataOf(await get(`/v1/apps/${github.id}`))).toEqual(github);
  expect((await get('/v1/apps/nothing_known')).status).toBe(404);
  expect(list(await get('/v1/apps?has_triggers=1')).map(({ name_slug }) => name_slug)).toEqual(['github']);
  expect(list(await get('/v1/apps?q=GITH')).map(({ name_slug }) => name_slug)).toEqual(['github']);
  const first = await get('/v1/apps?limit=3');
  const next = await get(`/v1/apps?limit=3&after=${String(first.body.page_info?.['end_cursor'])}`);
  const back = await get(`/v1/apps?limit=3&before=${String(next.body.page_info?.['start_cursor'])}`);
  expect([list(first).length, list(next).length, list(back)]).toEqual([3, 3, list(first)]);
});
