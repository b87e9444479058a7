import { randomBytes } from 'node:crypto';
import { until } from '../../../../../test/support/until.ts';
import type { Manifest, PropDefinition } from '../../../../domain/component/manifest.ts';
import { componentIdOf } from '../../../../domain/saved/saved.ts';
import { codeHashOf } from '../../../../domain/component/program/program.ts';
import { sizes } from '../../../../domain/sizes.ts';
import { MemoryLog } from '../../../../log/log.fake.ts';
import { fetcherCode } from '../../../runtime/fetching/fetcher-component.ts';
import { firstOwnerOf } from '../../first-key.ts';
import { TestBed, testMasterKey } from '../../test-bed.fake.ts';
import type { Answer, TestRequest } from '../../test-bed.fake.ts';

const { workspace } = firstOwnerOf(testMasterKey);

const http: PropDefinition = { name: 'http', type: '$.interface.http' };
let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start({ limits: { outcomeMs: 20_000 } });
}, 60_000);
afterAll(() => bed?.stop());

/** Code that the sandbox describes with this manifest. */
function version(name: string, more: Partial<Manifest> = {}): string {
  const manifest: Manifest = {
    name: 'Saved',
    version: name,
    type: 'source',
    props: [http],
    methods: [],
    additionalProps: false,
    hooks: [],
    ...more,
  };
  const code = `${name} ${randomBytes(4).toString('hex')}`;
  bed.components.set(code, { manifest, run: ({ emit }) => emit({ event: name }) });
  return code;
}

interface ComponentData {
  readonly id: string;
  readonly [name: string]: unknown;
}
const dataOf = ({ body }: Answer): ComponentData => body.data as ComponentData;
const post = (url: string, body: object, headers: TestRequest['headers'] = {}): Promise<Answer> =>
  bed.call('POST', url, { body, headers });
const save = (component_code: string, headers: TestRequest['headers'] = {}): Promise<Answer> =>
  post('/v1/components', { component_code }, headers);
const get = (idOrKey: string): Promise<Answer> => bed.call('GET', `/v1/components/${idOrKey}`);

test('saves a component under an id derived from its code, and shows it with its code', async () => {
  const code = version('a', { key: 'acme-a', description: 'Says a' });
  const saved = await save(code);
  expect(saved.status).toBe(200);
  expect(dataOf(saved)).toEqual({
    id: expect.stringMatching(/^sc_/),
    user_id: expect.stringMatching(/^u_/),
    key: 'acme-a',
    name: 'Saved',
    version: 'a',
    description: 'Says a',
    code,
    entry: null,
    published: false,
    files: null,
    code_hash: codeHashOf({ code }),
    configurable_props: [http],
    created_at: expect.any(Number),
    updated_at: expect.any(Number),
  });
  const { id } = dataOf(saved);
  expect(dataOf(await get(id))).toEqual(dataOf(saved));
  expect(dataOf(await get('acme-a'))).toEqual(dataOf(saved));
  expect((await get('acme-nothing')).status).toBe(404);
  expect((await get('sc_0000000000000000')).status).toBe(404);
});

test('saving the same code again returns the same component and logs nothing', async () => {
  const code = version('b');
  const first = dataOf(await save(code));
  const count = bed.log.records('saved').length;
  expect(dataOf(await save(code))).toEqual(first);
  expect(bed.log.records('saved')).toHaveLength(count);
  expect(dataOf(await save(code, { 'idempotency-key': 'again-b' }))).toEqual(first);
});

test('a component of several files can be saved, shown, deployed and updated to', async () => {
  const code = version('files', { key: 'acme-files' });
  const entry = 'sources/a/a.mjs';
  const files = { [entry]: code, 'common/b.mjs': 'export const b = 1;', 'data.json': '{}', 'c.$.d.mjs': '' };
  const saved = dataOf(await post('/v1/components', { files, entry }));
  expect(saved).toMatchObject({ code, entry, files, key: 'acme-files' });
  const others = { ...files, [entry]: undefined };
  expect(saved['code_hash']).toBe(codeHashOf({ code, entry, files: JSON.parse(JSON.stringify(others)) }));
  expect(
    dataOf(await post('/v1/components', { entry, files: Object.fromEntries(Object.entries(files).toReversed()) })),
  ).toEqual(saved);
  const changed = dataOf(
    await post('/v1/components', { entry, files: { ...files, 'common/b.mjs': 'export const b = 2;' } }),
  );
  expect(changed.id).not.toBe(saved.id);
  const { id } = dataOf(await post('/v1/sources', { files, entry }));
  const deployed = dataOf(await bed.call('GET', `/v1/sources/${id}`));
  expect(deployed['component_id']).toBe(saved.id);
  const deployFrom = (component_id: string) => bed.call('PUT', `/v1/sources/${id}`, { body: { component_id } });
  expect(dataOf(await deployFrom(changed.id))).toMatchObject({ component_id: changed.id });
  const back = await bed.call('PUT', `/v1/sources/${id}`, { body: { files, entry } });
  expect(dataOf(back)['component_id']).toBe(saved.id);
  const { [entry]: _code, ...other } = files;
  const program = { code, entry, files: other };
  const built = bed.packages.builds.filter((asked) => JSON.stringify(asked.program) === JSON.stringify(program));
  // Once for saving, once for deploying and once for the update back.
  expect(built).toHaveLength(3);
  const single = dataOf(await post('/v1/components', { files: { 'one.ts': version('one') } }));
  expect(single).toMatchObject({ entry: 'one.ts', version: 'one' });
  for (const topic of ['commands', 'saves', 'components', 'triggers'] as const) {
    const carrying = bed.log.records(topic).filter(({ data }) => JSON.stringify(data ?? {}).includes('common/b.mjs'));
    expect([topic, carrying.length > 0, new Set(carrying.map((record) => record.version))]).toEqual([
      topic,
      true,
      new Set([7]),
    ]);
  }
});

test.each([
  ['not text', { files: { 'a.mjs': 1 } }, /object of texts by path/],
  ['an empty object', { files: {} }, /with at least one/],
  ['a list', { files: ['a'] }, /object of texts by path/],
  ['several without an entry', { files: { 'a.mjs': 'a', 'b.mjs': 'b' } }, /entry must name/],
  ['without the file that entry names', { files: { 'a.mjs': 'a' }, entry: 'b.mjs' }, /"b.mjs" is not/],
  ['not modules', { files: { 'a.json': '{}' } }, /must end in/],
  ['empty', { files: { 'a.mjs': '' } }, /is empty/],
  ['outside the folder', { files: { '../a.mjs': 'a' } }, /shortest form/],
  ['sent together with component_code', { files: { 'a.mjs': 'a' }, component_code: 'a' }, /not both/],
  ['missing beside an entry', { component_code: 'a', entry: 'a.mjs' }, /files alone/],
])('refuses files that are %s and says what is wrong', async (_what, body, message) => {
  for (const path of ['/v1/sources', '/v1/components']) {
    const refused = await post(path, body);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    expect(refused.body.error).toMatch(message);
  }
});

test('refuses files that are too large together', async () => {
  const files = { 'a.mjs': 'a', 'b.mjs': 'b'.repeat(sizes.codeBytes) };
  const refused = await post('/v1/components', { files, entry: 'a.mjs' });
  expect([refused.status, refused.body.error]).toEqual([
    413,
    expect.stringContaining("The component's files together"),
  ]);
});

test('an Idempotency-Key belongs to the code that it was first used with', async () => {
  const [code, other] = [version('c'), version('c2')];
  const key = { 'idempotency-key': 'key-c' };
  const first = dataOf(await save(code, key));
  expect(dataOf(await save(code, key))).toEqual(first);
  const conflict = await save(other, key);
  expect([conflict.status, conflict.body.code]).toEqual([409, 'idempotency_conflict']);
});

test.each([
  ['does not load', () => 'nonsense', /cannot be loaded/],
  ['is an action', () => version('action', { type: 'action' }), /action/],
  ['has a prop of unknown type', () => version('odd', { props: [{ name: 'x', type: 'nope' }] }), /nope/],
])('refuses a component that %s on every try, and stores nothing of it', async (_name, code, message) => {
  const text = code();
  const key = { 'idempotency-key': `bad-${codeHashOf({ code: text })}` };
  for (const headers of [{}, {}, key, key]) {
    const refused = await save(text, headers);
    expect([refused.status, refused.body.code]).toEqual([400, 'component_invalid']);
    expect(refused.body.error).toMatch(message);
  }
  const id = componentIdOf(workspace, codeHashOf({ code: text }));
  expect((await get(id)).status).toBe(404);
  const stored = bed.log.records('saved').filter(({ key: of, data }) => of === id && data !== undefined);
  expect(stored).toEqual([]);
});

test('a key finds the newest version, and lists all versions in pages without their code', async () => {
  const codes = ['1.0', '1.1', '1.2'].map((name) => version(name, { key: 'acme-v' }));
  const saved: ComponentData[] = [];
  for (const code of codes) {
    saved.push(dataOf(await save(code)));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(dataOf(await get('acme-v'))['version']).toBe('1.2');
  const list = async (query: TestRequest['query'] = {}): Promise<Answer> =>
    bed.call('GET', '/v1/components', { query });
  const first = await list({ key: 'acme-v', limit: '2' });
  const after = String(first.body.page_info?.['end_cursor']);
  const second = await list({ key: 'acme-v', limit: '2', after });
  const listed = [first, second].flatMap(({ body }) => body.data as ComponentData[]);
  expect(listed.map(({ id }) => id)).toEqual(saved.map(({ id }) => id).toReversed());
  expect(listed.every((component) => !Object.hasOwn(component, 'code'))).toBe(true);
  expect(first.body.page_info).toMatchObject({ total_count: 3, count: 2 });
  expect((await list({ limit: '1' })).body.data).toMatchObject([{ id: saved[2]?.id }]);
});

test('deploys a source from a saved component and updates it, by id or by key', async () => {
  const [code, next] = [version('d1', { key: 'acme-d' }), version('d2', { key: 'acme-d' })];
  const first = dataOf(await save(code));
  const deployed = await post('/v1/sources', { component_id: first.id, name: 'Mine' });
  expect(deployed.status).toBe(200);
  expect(dataOf(deployed)).toMatchObject({ component_id: first.id, version: 'd1', name: 'Mine' });
  const newest = dataOf(await save(next));
  const { id } = dataOf(deployed);
  const updated = await bed.call('PUT', `/v1/sources/${id}`, { body: { component_id: 'acme-d' } });
  expect(dataOf(updated)).toMatchObject({ id, component_id: newest.id, version: 'd2' });
  const back = await bed.call('PUT', `/v1/sources/${id}`, { body: { component_id: first.id } });
  expect(dataOf(back)).toMatchObject({ component_id: first.id, version: 'd1' });
});

test('repeating a deploy by component key returns the same source, even after a newer version was saved', async () => {
  await save(version('e1', { key: 'acme-e' }));
  const headers = { 'idempotency-key': 'deploy-e' };
  const first = dataOf(await post('/v1/sources', { component_id: 'acme-e' }, headers));
  await save(version('e2', { key: 'acme-e' }));
  expect(dataOf(await post('/v1/sources', { component_id: 'acme-e' }, headers)).id).toBe(first.id);
  const conflict = await post('/v1/sources', { component_id: 'acme-d' }, headers);
  expect(conflict.status).toBe(409);
});

test('a request must give its code in exactly one way', async () => {
  const code = version('f');
  const { id } = dataOf(await save(code));
  for (const url of ['/v1/sources', '/v1/components']) {
    const none = await post(url, {});
    expect([none.status, none.body.code]).toEqual([400, 'invalid_request']);
    expect(none.body.error).toContain('component_code');
  }
  const both = await post('/v1/sources', { component_code: code, component_id: id });
  expect([both.status, both.body.error]).toEqual([400, expect.stringContaining('not both')]);
  // Nothing is fetched: the request itself has the code.
  const component_url = 'https://example.com/acme-f.js';
  expect(dataOf(await post('/v1/components', { component_code: code, component_url })).id).toBe(id);
  const unknown = await post('/v1/sources', { component_id: 'acme-nobody' });
  expect([unknown.status, unknown.body.details]).toEqual([404, { field: 'component_id', record: 'component' }]);
});

/** The text served at each URL; all others fail. */
const served = new Map<string, string>();
const fetchedUrls: string[] = [];
beforeAll(() => {
  bed.components.set(fetcherCode, {
    manifest: late,
    run: ({ event, emit, console }) => {
      const { url } = event as { url: string };
      fetchedUrls.push(url);
      console(`asking ${url}`);
      const text = served.get(url);
      if (text === undefined) throw new Error('the answer has status 404');
      for (const part of [text.slice(0, 3), text.slice(3)]) emit({ event: { text: part } });
    },
  });
});

test('fetches code from a URL once each for saving, deploying and updating', async () => {
  const [url, next] = ['https://example.com/g.js?token=hush-hush', 'https://github.com/o/r/blob/main/src/g2.js'];
  served.set(url, version('g', { key: 'acme-g' }));
  served.set('https://raw.githubusercontent.com/o/r/main/src/g2.js', version('g2', { key: 'acme-g' }));
  const saved = await post('/v1/components', { component_url: url });
  expect(dataOf(saved)).toMatchObject({ key: 'acme-g', version: 'g', code: served.get(url) });
  const deployed = dataOf(await post('/v1/sources', { component_url: url }));
  expect(deployed).toMatchObject({ component_id: dataOf(saved).id, version: 'g' });
  const updated = await bed.call('PUT', `/v1/sources/${deployed.id}`, { body: { component_url: next } });
  expect(dataOf(updated)).toMatchObject({ version: 'g2' });
  expect(fetchedUrls.splice(0)).toEqual([url, url, 'https://raw.githubusercontent.com/o/r/main/src/g2.js']);
  for (const topic of ['commands', 'triggers', 'hooks', 'saves', 'runs'] as const)
    expect(JSON.stringify(bed.log.records(topic))).not.toContain('hush-hush');
});

test('a request repeated with its Idempotency-Key does not fetch the URL again', async () => {
  const url = 'https://example.com/h.js';
  served.set(url, version('h1'));
  for (const path of ['/v1/sources', '/v1/components']) {
    const headers = { 'idempotency-key': 'url-h' };
    const first = await post(path, { component_url: url }, headers);
    expect([first.status, fetchedUrls.splice(0)]).toEqual([200, [url]]);
    const before = served.get(url) ?? '';
    served.delete(url);
    const again = await post(path, { component_url: url }, headers);
    expect([again.status, dataOf(again).id, fetchedUrls]).toEqual([200, dataOf(first).id, []]);
    const other = await post(path, { component_url: `${url}?other` }, headers);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
    served.set(url, before);
  }
});

test.each([
  ['returns an error', 'https://example.com/none.js', 'fetch_failed', /status 404/],
  ['is not a web address', 'file:///etc/passwd', 'invalid_request', /component_url/],
  ['contains a password', 'https://me:secret@example.com/x.js', 'invalid_request', /component_url/],
  ['returns code that does not load', 'https://example.com/nonsense.js', 'component_invalid', /cannot be loaded/],
])('refuses a URL that %s and gives the reason', async (_name, component_url, code, message) => {
  served.set('https://example.com/nonsense.js', 'nonsense');
  for (const path of ['/v1/sources', '/v1/components']) {
    const refused = await post(path, { component_url });
    expect([refused.status, refused.body.code]).toEqual([400, code]);
    expect(refused.body.error).toMatch(message);
  }
});

test('leaves no record on `state` of described or fetched code', async () => {
  const remainingKeys = (): string[] => bed.log.records('state').flatMap(({ key, data }) => (data ? [key] : []));
  expect(await until('the records to be gone', () => !remainingKeys().some(isOwn))).toBe(true);
});
const isOwn = (key: string): boolean => !key.startsWith('dc_');

const late: Manifest = {
  name: 'Late',
  version: '1',
  type: 'source',
  props: [],
  methods: [],
  additionalProps: false,
  hooks: [],
};
test('an Idempotency-Key used for code that was already saved survives a restart', async () => {
  const log = new MemoryLog({ partitions: 2 });
  const components = new Map([
    ['kept', { manifest: late }],
    ['other', { manifest: late }],
  ]);
  const headers = { 'idempotency-key': 'kept' };
  const answers: unknown[] = [];
  for (const codes of [
    ['kept', 'kept'],
    ['other', 'kept'],
  ]) {
    const one = await TestBed.start({ log, components });
    try {
      for (const [n, component_code] of codes.entries()) {
        const request = { body: { component_code }, ...(answers.length === 0 && n === 0 ? {} : { headers }) };
        const { status, body } = await one.call('POST', '/v1/components', request);
        answers.push([status, body.code]);
      }
    } finally {
      await one.stop();
    }
  }
  const saved = [200, undefined];
  expect(answers).toEqual([saved, saved, [409, 'idempotency_conflict'], saved]);
});

test('saves a component requested while lifecycle was down once it is back', async () => {
  const log = new MemoryLog({ partitions: 2 });
  const before = await TestBed.start({ log, limits: { outcomeMs: 100 } });
  await before.stopStages();
  const pendingSave = await before.call('POST', '/v1/components', { body: { component_code: 'late' } });
  expect([pendingSave.status, pendingSave.body.code]).toEqual([503, 'unknown_outcome']);
  await before.stop();
  const after = await TestBed.start({ log, components: new Map([['late', { manifest: late }]]) });
  try {
    const id = componentIdOf(workspace, codeHashOf({ code: 'late' }));
    const answer = await until('the component', async () => {
      const answer = await after.call('GET', `/v1/components/${id}`);
      return answer.status !== 404 && answer;
    });
    expect(dataOf(answer)).toMatchObject({ name: 'Late', code: 'late' });
    expect(log.records('saves').map(({ type }) => type)).toEqual(['ComponentSaving', 'ComponentSaved']);
  } finally {
    await after.stop();
  }
});
