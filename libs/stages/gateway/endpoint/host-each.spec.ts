import type { HttpRequestData } from '../../../domain/component/http/request-data.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import { TestBed } from '../test-bed.fake.ts';

let bed: TestBed;
/** Of a source's endpoint: `https://KEY.hooks.test/`. */
let url: URL;
beforeAll(async () => {
  bed = await TestBed.start({ endpointUrl: 'https://*.hooks.test' });
  url = await bed.deployEndpointUrl();
});
afterAll(() => bed?.stop());

const statusAt = async (host: string, path: string): Promise<number> =>
  (await bed.send('POST', path, { headers: { host } })).status;

const lastRequest = (): HttpRequestData | null => {
  const triggers = bed.log.records('triggers') as unknown as Trigger[];
  const http = triggers.filter(({ data }) => data.kind === 'http');
  return http.toSorted((a, b) => a.at - b.at).at(-1)?.data.http as HttpRequestData | null;
};

test('each endpoint has a host of its own, without a path', () => {
  expect(url.href).toMatch(/^https:\/\/[0-9a-z]{26}\.hooks\.test\/$/);
});

test.each([
  ['/', '/'],
  ['/a%20b/c%zz?x=1', '/a%20b/c%zz'],
  ['/a%2520b', '/a%2520b'],
  ['/health', '/health'],
  ['/v1/users/me?x', '/v1/users/me'],
  ['/e/other', '/e/other'],
  ['//a//', '//a//'],
])('a request to %s there comes to the source with this path', async (target, path) => {
  expect(await statusAt(url.host.toUpperCase(), target)).toBe(200);
  expect(lastRequest()).toMatchObject({ path, url: `${url.origin}${target}` });
});

test('the host above them serves endpoints by their path, for clients that know this URL', async () => {
  const path = `/e/${url.hostname.split('.', 1)[0]}/x`;
  expect(await statusAt('hooks.test', path)).toBe(200);
  expect(lastRequest()).toMatchObject({ path: '/x', url: `https://hooks.test${path}` });
});

test('no other host below it has an endpoint, and none has the API', async () => {
  const path = `/e/${url.hostname.split('.', 1)[0]}`;
  for (const host of ['nobody.hooks.test', `a.${url.host}`, 'a_b.hooks.test', '.hooks.test']) {
    expect([await statusAt(host, '/'), await statusAt(host, path), await statusAt(host, '/v1/webhooks')]).toEqual([
      404, 404, 404,
    ]);
  }
  expect([await statusAt('hooks.test', '/v1/webhooks'), await statusAt('test.local', path)]).toEqual([404, 404]);
  expect(await statusAt('test.local', '/v1/webhooks')).toBe(401);
});
