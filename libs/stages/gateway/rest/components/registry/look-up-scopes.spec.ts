// A look-up in the registry installs packages and appends to the log: callers that may not write get saved ones only.
import type { Manifest } from '../../../../../domain/component/manifest.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer, TestRequest } from '../../../test-bed.fake.ts';

const key = 'acme-new-order';
const codeOf = (version: string): string =>
  `export { default } from "@pipedream/acme@${version}/sources/${key}.mjs";\n`;
const manifest = (version: string): Manifest => ({
  name: 'New Order',
  version,
  key,
  type: 'source',
  props: [],
  methods: [],
  hooks: [],
  additionalProps: false,
});

let bed: TestBed;
let reader: TestRequest;
let session: Readonly<Record<'cookie' | 'x-csrf-token', string>>;
beforeEach(async () => {
  bed = await TestBed.start();
  for (const version of ['1.0.0', '1.1.0']) bed.components.set(codeOf(version), { manifest: manifest(version) });
  bed.components.set('own', { manifest: manifest('9.0.0') });
  offer('1.0.0');
  const created = await bed.call('POST', '/v1/api_keys', { body: { name: 'reader', scopes: ['read'] } });
  reader = { headers: { authorization: `Bearer ${(created.body.data as { key: string }).key}` } };
  const signedIn = await bed.send('POST', '/session', { body: { api_key: bed.apiKey } });
  const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? '';
  session = { cookie, 'x-csrf-token': (signedIn.body.data as { csrf_token: string }).csrf_token };
});
afterEach(() => bed?.stop());

function offer(version: string): void {
  const component = { key, type: 'source', name: key, description: '', path: `sources/${key}.mjs` } as const;
  const name = '@pipedream/acme';
  bed.packages.registry.set(name, { kind: 'found', package: { name, version }, components: [component] });
}

const dataOf = ({ body }: Answer) => body.data as { readonly id: string; readonly version: string };
const statusAndCode = ({ status, body }: Answer) => [status, body.code];
const lookUpCount = (): number => bed.log.records('commands').filter(({ type }) => type === 'FetchComponent').length;

const search = `/v1/components/search?app=acme`;
const byKey = `/v1/components/registry/${key}`;
const forbidden = [403, 'forbidden'];

test('a key that only reads has nothing looked up', async () => {
  for (const url of [search, byKey, '/v1/components/registry/other-new'])
    for (const method of ['GET', 'HEAD'] as const) {
      const refused = await bed.send(method, url, reader);
      expect([url, refused.status]).toEqual([url, 403]);
      if (method === 'GET')
        expect(refused.body).toMatchObject({ code: 'forbidden', error: expect.stringContaining('write') });
    }
  expect(lookUpCount()).toBe(0);
});

test('a key that only reads gets the last saved component of the registry, not an own one with the same key', async () => {
  await bed.call('POST', '/v1/components', { body: { component_code: 'own' } });
  expect(statusAndCode(await bed.send('GET', byKey, reader))).toEqual(forbidden);
  const first = dataOf(await bed.call('GET', byKey));
  expect(dataOf(await bed.send('GET', byKey, reader))).toEqual(first);
  offer('1.1.0');
  expect(dataOf(await bed.send('GET', byKey, reader))).toEqual(first);
  const second = dataOf(await bed.call('GET', byKey));
  await bed.call('POST', '/v1/components', { body: { component_code: 'own' } });
  expect(dataOf(await bed.send('GET', byKey, reader))).toEqual(second);
  expect([first.version, second.version, lookUpCount()]).toEqual(['1.0.0', '1.1.0', 2]);
});

test('a session needs its CSRF token', async () => {
  const { cookie } = session;
  for (const headers of [{ cookie }, { cookie, 'x-csrf-token': 'x' }])
    for (const url of [search, byKey])
      expect(statusAndCode(await bed.send('GET', url, { headers }))).toEqual(forbidden);
  expect(lookUpCount()).toBe(0);
  for (const url of [search, byKey]) expect((await bed.send('GET', url, { headers: session })).status).toBe(200);
});
