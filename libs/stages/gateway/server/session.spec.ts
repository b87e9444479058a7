import { until } from '../../../../test/support/until.ts';
import type { Manifest } from '../../../domain/component/manifest.ts';
import { TestBed } from '../test-bed.fake.ts';
import type { Answer, TestRequest } from '../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Echo',
  version: '1',
  type: 'source',
  hooks: [],
  methods: [],
  additionalProps: false,
  props: [{ name: 'http', type: '$.interface.http' }],
};

interface Shown {
  readonly csrf_token: string;
  readonly expires_at: number;
}

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
});
afterAll(() => bed?.stop());

type Method = 'GET' | 'POST' | 'DELETE';

const signIn = (body: unknown, asked: TestRequest = {}): Promise<Answer> =>
  bed.send('POST', '/session', { ...asked, body });
const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie']).split(';', 1)[0] ?? '';
const shownBy = ({ body }: Answer): Shown => body.data as Shown;

/** Signs in and sends requests with the cookie, as a browser does. */
async function browser(body: unknown = { api_key: bed.apiKey }) {
  const answer = await signIn(body);
  const [cookie, csrf] = [cookieOf(answer), shownBy(answer).csrf_token];
  return {
    cookie,
    csrf,
    call: (method: Method, url: string, { headers, ...asked }: TestRequest = {}): Promise<Answer> =>
      bed.send(method, url, { ...asked, headers: { cookie, ...headers } }),
  };
}

const webhook = { body: { url: 'https://example.com/' } };

test('signs in with an API key, and sets a cookie that no page can read', async () => {
  const answer = await signIn({ api_key: bed.apiKey });
  const { workspace, owner } = { workspace: bed.log.records('workspaces')[0]?.workspace, owner: expect.any(String) };
  expect(answer.body.data).toEqual({
    workspace,
    user_id: owner,
    api_key_id: expect.stringMatching(/^key_/),
    scopes: ['read', 'write'],
    csrf_token: expect.any(String),
    expires_at: expect.any(Number),
  });
  expect(String(answer.headers['set-cookie'])).toMatch(
    /^wellspring_session_[0-9a-f]{8}=[\w-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  const hours = (shownBy(answer).expires_at - Date.now()) / 3_600_000;
  expect(hours > 11.9 && hours <= 12).toBe(true);
  const again = await bed.send('GET', '/session', { headers: { cookie: cookieOf(answer) } });
  expect([again.status, again.body.data]).toEqual([200, answer.body.data]);
});

test('a request with the cookie acts for the key, and needs the CSRF token for changes', async () => {
  const { call, csrf } = await browser();
  expect((await call('GET', '/v1/users/me')).status).toBe(200);
  for (const headers of [{}, { 'x-csrf-token': 'x' }, { 'x-csrf-token': (await browser()).csrf }]) {
    const refused = await call('POST', '/v1/webhooks', { ...webhook, headers });
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  }
  expect((await call('POST', '/v1/webhooks', { ...webhook, headers: { 'x-csrf-token': csrf } })).status).toBe(200);
});

test('a key in the header takes precedence over the cookie, and needs no CSRF token', async () => {
  const { cookie } = await browser();
  expect((await bed.call('POST', '/v1/webhooks', { ...webhook, headers: { cookie } })).status).toBe(200);
  const headers = { cookie, authorization: 'Bearer pd_nobody' };
  expect((await bed.send('GET', '/v1/users/me', { headers })).status).toBe(401);
});

test('a session has the scopes of its key and ends when the key is deleted', async () => {
  const made = await bed.call('POST', '/v1/api_keys', { body: { name: 'reader', scopes: ['read'] } });
  const { id, key } = made.body.data as { readonly id: string; readonly key: string };
  const { call, csrf } = await browser({ api_key: key });
  const headers = { 'x-csrf-token': csrf };
  expect((await call('POST', '/v1/webhooks', { ...webhook, headers })).status).toBe(403);
  expect((await call('GET', '/v1/webhooks')).status).toBe(200);
  await bed.call('DELETE', `/v1/api_keys/${id}`);
  expect([(await call('GET', '/v1/webhooks')).status, (await call('GET', '/session')).status]).toEqual([401, 401]);
  expect((await call('GET', '/session')).body).toEqual({
    error: 'The API key of this session is deleted: sign in with another one.',
    code: 'unauthorized',
    details: { key: 'deleted' },
  });
});

test('a session tells when its key expires, ends then, and says why', async () => {
  const expiresAt = Date.now() + 3_000;
  const made = await bed.call('POST', '/v1/api_keys', { body: { name: 'short', expires_at: expiresAt } });
  const { key } = made.body.data as { readonly key: string };
  const answer = await signIn({ api_key: key });
  expect(shownBy(answer).expires_at).toBe(expiresAt);
  const ended = await until('the session to end', async () => {
    const shown = await bed.send('GET', '/session', { headers: { cookie: cookieOf(answer) } });
    return shown.status !== 200 && shown;
  });
  expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
  expect([ended.status, ended.body]).toEqual([
    401,
    {
      error: 'The API key of this session is expired: sign in with another one.',
      code: 'unauthorized',
      details: { key: 'expired' },
    },
  ]);
  expect((await signIn({ api_key: key })).body.error).toBe('The API key is expired.');
});

test('signing out ends only this session, and its cookie is no longer accepted', async () => {
  const [one, other] = [await browser(), await browser()];
  expect((await one.call('DELETE', '/session')).status).toBe(403);
  const out = await one.call('DELETE', '/session', { headers: { 'x-csrf-token': one.csrf } });
  expect([out.status, String(out.headers['set-cookie'])]).toEqual([204, expect.stringContaining('Max-Age=0')]);
  const after = await one.call('GET', '/session');
  expect([after.status, after.body]).toEqual([401, { error: 'Nobody is signed in.', code: 'unauthorized' }]);
  expect((await one.call('GET', '/v1/users/me')).status).toBe(401);
  expect((await other.call('GET', '/v1/users/me')).status).toBe(200);
  expect((await bed.send('DELETE', '/session')).status).toBe(401);
});

test('rejects a session cookie that is changed, empty or under another name', async () => {
  const { cookie } = await browser();
  const [name = '', value = ''] = cookie.split('=');
  const changed = `${value.slice(0, -4)}AAAA`;
  for (const text of [`${name}=${changed}`, `${name}=`, `${name}x=${value}`, name, '', ';;='])
    expect([text, (await bed.send('GET', '/v1/users/me', { headers: { cookie: text } })).status]).toEqual([text, 401]);
  const planted = `${name}=planted; theme=dark; ${cookie}`;
  expect((await bed.send('GET', '/v1/users/me', { headers: { cookie: planted } })).status).toBe(200);
});

test('a sign-in link works only once', async () => {
  const key = bed.parts.access.signInToken();
  const answer = await signIn({ token: key });
  expect([answer.status, cookieOf(answer)]).toEqual([200, expect.stringContaining('wellspring_session')]);
  const again = await signIn({ token: key });
  expect([again.status, again.body.code]).toEqual([401, 'unauthorized']);
});

test('refuses a sign-in from a page of another site', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  const answer = await signIn({ api_key: bed.apiKey }, { headers });
  expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
  const form = await bed.send('POST', '/session', { body: 'api_key=x', headers: { 'content-type': 'text/plain' } });
  expect(form.status).toBe(415);
});

test('components never see session cookies of requests to their endpoints', async () => {
  const own = await TestBed.start();
  let seen: unknown;
  own.components.set('echo', {
    manifest,
    run: ({ event, emit }) => {
      seen = (event as { headers: unknown }).headers;
      emit({ event: 'seen' });
    },
  });
  const deployed = await own.call('POST', '/v1/sources', { body: { component_code: 'echo' } });
  const { http } = (deployed.body.data as { configured_props: { http: { endpoint_url: string } } }).configured_props;
  const session = cookieOf(await own.send('POST', '/session', { body: { api_key: own.apiKey } }));
  const headers = { cookie: `a=1; ${session}; __Host-wellspring_session_00000000=x; b=2` };
  await own.send('POST', new URL(http.endpoint_url).pathname, { body: {}, headers });
  expect(await until('the request', () => seen)).toMatchObject({ cookie: 'a=1; b=2' });
  await own.stop();
});

test.each([
  [{}],
  [{ api_key: '' }],
  [{ api_key: 1 }],
  [{ api_key: 'a', token: 'b' }],
  [{ api_key: 'a', more: 1 }],
  [[]],
])('answers 400 to the sign-in request %j', async (body) => {
  const own = await TestBed.start();
  const answer = await own.send('POST', '/session', { body });
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  await own.stop();
});

test('refuses a key in the URL, and limits the rate of sign-ins from one address', async () => {
  const own = await TestBed.start();
  const inUrl = await own.send('POST', '/session', { query: { api_key: own.apiKey } });
  expect(inUrl.status).toBe(400);
  const statuses: number[] = [];
  const body = { api_key: 'pd_nobody' };
  for (let n = 0; n < 15; n++) statuses.push((await own.send('POST', '/session', { body })).status);
  expect(statuses).toContain(429);
  await own.stop();
});
