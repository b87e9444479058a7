import { jest } from '@jest/globals';
import type { Manifest } from '../../../../../domain/component/manifest.ts';
import type { PackagedComponent } from '../../../../../packages/packages.ts';
import type { FakeComponent } from '../../../../../sandbox/sandbox.fake.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer, TestRequest } from '../../../test-bed.fake.ts';

const packaged = (key: string, more: Partial<PackagedComponent> = {}): PackagedComponent => ({
  key,
  type: 'source',
  name: key,
  description: '',
  path: `sources/${key}.mjs`,
  ...more,
});
const codeOf = (version: string): string =>
  `export { default } from "@pipedream/acme@${version}/sources/acme-new-order.mjs";\n`;
const manifest = (version: string): Manifest => ({
  name: 'New Order',
  version,
  key: 'acme-new-order',
  type: 'source',
  props: [],
  methods: [],
  hooks: [],
  additionalProps: false,
});

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start({ limits: { outcomeMs: 20_000 } });
  for (const version of ['1.0.0', '1.1.0', 'own']) {
    const code = version === 'own' ? 'own' : codeOf(version);
    const forms: FakeComponent['forms'] = { configure: ({ emit }) => emit({ event: { options: [version] } }) };
    bed.components.set(code, { manifest: manifest(version === 'own' ? '9.0.0' : version), run: () => {}, forms });
  }
}, 60_000);
afterAll(() => bed?.stop());
beforeEach(() => publishPackage('1.0.0'));

function publishPackage(version: string): void {
  const components = [
    packaged('acme-new-order'),
    packaged('acme-add', { type: 'action', description: 'Adds an order' }),
  ];
  bed.packages.registry.set('@pipedream/acme', {
    kind: 'found',
    package: { name: '@pipedream/acme', version },
    components,
  });
}

interface ComponentData {
  readonly id: string;
  readonly [name: string]: unknown;
}
const dataOf = ({ body }: Answer): ComponentData => body.data as ComponentData;
const deploy = (key: string, headers: TestRequest['headers'] = {}): Promise<Answer> =>
  bed.call('POST', '/v1/sources', { body: { key }, headers });

test('answers form requests by key before anything is deployed', async () => {
  const body = { key: 'acme-new-order', prop_name: 'list' };
  const answer = await bed.call('POST', '/v1/components/configure', { body });
  expect([answer.status, answer.body.data]).toMatchObject([200, { string_options: ['1.0.0'] }]);
  const unknown = await bed.call('POST', '/v1/components/props', { body: { key: 'acme-nothing' } });
  expect(unknown.status).toBe(404);
});

test('deploys a source by key at the exact version of the package and updates it to a later one', async () => {
  const headers = { 'idempotency-key': 'by-key' };
  const deployed = await deploy('acme-new-order', headers);
  expect([deployed.status, dataOf(deployed)['version'], dataOf(deployed)['component_key']]).toEqual([
    200,
    '1.0.0',
    'acme-new-order',
  ]);
  publishPackage('1.1.0');
  expect(dataOf(await deploy('acme-new-order', headers)).id).toBe(dataOf(deployed).id);
  const updated = await bed.call('PUT', `/v1/sources/${dataOf(deployed).id}`, { body: { key: 'acme-new-order' } });
  expect(dataOf(updated)['version']).toBe('1.1.0');
  const versions = (['commands', 'triggers', 'hooks'] as const).flatMap((topic) =>
    bed.log.records(topic).flatMap(({ data, version }) => (JSON.stringify(data).includes('"find"') ? [version] : [])),
  );
  expect(new Set(versions)).toEqual(new Set([7]));
});

test('prefers a component published in the workspace to one of the registry', async () => {
  const own = await bed.call('POST', '/v1/components', { body: { component_code: 'own', publish: true } });
  expect(dataOf(await deploy('acme-new-order'))).toMatchObject({ version: '9.0.0', component_id: dataOf(own).id });
  expect((await bed.call('DELETE', '/v1/components/acme-new-order')).status).toBe(204);
  expect(dataOf(await deploy('acme-new-order'))['version']).toBe('1.0.0');
});

test.each([
  ['that the app does not have', 'acme-new', '404 unknown_key', /@pipedream\/acme@1\.0\.0 .*acme-new-order/],
  ['of an unknown app', 'nobody-new', '404 unknown_key', /nobody is not in the registry/],
  ['without an app', 'order', '404 unknown_key', /begin with the name of their app/],
  ['of an invalid form', '../x-y', '404 unknown_key', /begin with/],
  ['that is empty', '', '400 invalid_request', /key must be/],
])('refuses a key %s', async (_what, key, answer, message) => {
  const refused = await deploy(key);
  expect(`${refused.status} ${refused.body.code}`).toBe(answer);
  expect(refused.body.error).toMatch(message);
});

test('reports an unavailable registry', async () => {
  const error = { name: 'PackageError', message: 'The registry cannot be reached for @pipedream/acme@latest' };
  bed.packages.registry.set('@pipedream/acme', { kind: 'failed', error, again: true });
  const refused = await deploy('acme-new-order');
  expect([refused.status, refused.body.code]).toEqual([400, 'fetch_failed']);
  expect(refused.body.error).toContain('@pipedream/acme@latest');
});

test('shows a component of the registry by its key and saves it once', async () => {
  const get = (key: string): Promise<Answer> => bed.call('GET', `/v1/components/registry/${key}`);
  const first = dataOf(await get('acme-new-order'));
  expect(first).toMatchObject({ key: 'acme-new-order', version: '1.0.0', code: codeOf('1.0.0'), published: false });
  expect(dataOf(await get('acme-new-order'))).toEqual(first);
  expect(dataOf(await bed.call('POST', '/v1/sources', { body: { component_id: first.id } }))['version']).toBe('1.0.0');
  expect((await get('acme-nothing')).status).toBe(404);
});

test('searches the components of an app', async () => {
  const search = (query: Readonly<Record<string, string>>): Promise<Answer> =>
    bed.call('GET', '/v1/components/search', { query });
  expect((await search({ app: 'acme' })).body).toEqual({ sources: ['acme-new-order'], actions: ['acme-add'] });
  expect((await search({ app: 'acme', query: 'adds', limit: '1' })).body).toEqual({
    sources: [],
    actions: ['acme-add'],
  });
  expect((await search({ app: 'nobody' })).status).toBe(404);
  expect([(await search({ app: '../x' })).status, (await search({})).status]).toEqual([400, 400]);
});

test('what is found is not written to `saves`, which is kept forever, however often it is requested', async () => {
  const description = 'x'.repeat(300);
  const key = (n: number): string => `big-${String(n).padStart(3, '0')}`;
  const components = Array.from({ length: 100 }, (_, n) => packaged(key(n), { description }));
  const name = '@pipedream/big';
  bed.packages.registry.set(name, { kind: 'found', package: { name, version: '1.0.0' }, components });
  const bytesOf = (records: readonly object[]): number => Buffer.byteLength(JSON.stringify(records));
  const before = bytesOf(bed.log.records('saves'));
  const searched = 4;
  for (let times = 0; times < searched; times++) {
    const { body } = await bed.call('GET', '/v1/components/search', { query: { app: 'big', limit: '1' } });
    expect(body).toEqual({ sources: [key(0)], actions: [] });
  }
  expect(bytesOf(bed.log.records('saves')) - before).toBeLessThan(searched * 1_024);
});

test('if retention has removed what was found, the answer asks to repeat the request', async () => {
  const { log } = bed.parts;
  const read = jest
    .spyOn(log, 'read')
    .mockResolvedValue({ topic: 'hooks', partition: 0, records: [], malformed: [], next: 0 });
  const early = await bed.call('GET', '/v1/components/search', { query: { app: 'acme' } });
  expect([early.status, early.body.code, early.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
  read.mockRestore();
});

test('a look-up that installs a package waits longer than other requests, and then answers 503 still_looking', async () => {
  const installed = Promise.withResolvers<void>();
  const { components } = bed.packages;
  bed.packages.components = async (name) => {
    await installed.promise;
    return components.call(bed.packages, name);
  };
  const search = (): Promise<Answer> => bed.call('GET', '/v1/components/search', { query: { app: 'acme' } });
  const early = await bed.withLimits({ outcomeMs: 1, installingMs: 100 }, search);
  expect([early.status, early.body.code, early.headers['retry-after']]).toEqual([503, 'still_looking', '30']);
  expect(early.body.error).toContain('acme');
  const later = search();
  installed.resolve();
  expect((await later).body).toMatchObject({ sources: ['acme-new-order'] });
  bed.packages.components = components;
});
