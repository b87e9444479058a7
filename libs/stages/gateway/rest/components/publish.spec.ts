import { randomBytes } from 'node:crypto';
import type { Manifest } from '../../../../domain/component/manifest.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { Answer, TestRequest } from '../../test-bed.fake.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start({ limits: { outcomeMs: 20_000 } });
}, 60_000);
afterAll(() => bed?.stop());

function code(declared: Partial<Manifest>): string {
  const text = `code ${randomBytes(4).toString('hex')}`;
  const manifest: Manifest = {
    name: 'N',
    version: '0.1.0',
    type: 'source',
    props: [],
    methods: [],
    additionalProps: false,
    hooks: [],
    ...declared,
  };
  bed.components.set(text, { manifest, run: () => {} });
  return text;
}

interface ComponentData {
  readonly id: string;
  readonly [name: string]: unknown;
}
const dataOf = ({ body }: Answer): ComponentData => body.data as ComponentData;
const publish = (component_code: string, headers: TestRequest['headers'] = {}): Promise<Answer> =>
  bed.call('POST', '/v1/components', { body: { component_code, publish: true }, headers });
const listIds = async (query: Readonly<Record<string, string>>): Promise<string[]> => {
  const { body } = await bed.call('GET', '/v1/components', { query });
  return (body.data as ComponentData[]).map(({ id }) => id);
};

test('a component can be published, listed, replaced by a higher version and unpublished', async () => {
  const first = dataOf(await publish(code({ key: 'acme-p' })));
  expect(first).toMatchObject({ key: 'acme-p', version: '0.1.0', published: true });
  const text = code({ key: 'acme-p', version: '0.2.0' });
  const saved = dataOf(await bed.call('POST', '/v1/components', { body: { component_code: text } }));
  expect([saved['published'], await listIds({ published: 'true', key: 'acme-p' })]).toEqual([false, [first.id]]);
  const second = dataOf(await publish(text));
  expect(second).toMatchObject({ id: saved.id, published: true });
  expect(dataOf(await publish(text))).toEqual(second);
  expect(await listIds({ published: 'true' })).toEqual([second.id]);
  expect(await listIds({ key: 'acme-p' })).toEqual([second.id, first.id]);
  const unpublished = await bed.call('DELETE', '/v1/components/acme-p');
  expect([unpublished.status, await listIds({ published: 'true' })]).toEqual([204, []]);
  expect((await bed.call('DELETE', '/v1/components/acme-p')).status).toBe(404);
  expect((await bed.call('DELETE', `/v1/components/${first.id}`)).status).toBe(404);
  expect(dataOf(await bed.call('GET', `/v1/components/${second.id}`))).toMatchObject({ published: false });
});

test('purging a component by its id also unpublishes it, keeps its source, and lets it be saved again', async () => {
  const text = code({ key: 'acme-gone' });
  const saved = dataOf(await publish(text));
  const source = dataOf(await bed.call('POST', '/v1/sources', { body: { component_id: saved.id } }));
  const purge = (named: string): Promise<Answer> =>
    bed.call('DELETE', `/v1/components/${named}`, { query: { purge: 'true' } });
  const named = await purge('acme-gone');
  expect([named.status, named.body.code]).toEqual([400, 'invalid_request']);
  expect((await purge(saved.id)).status).toBe(204);
  for (const path of [saved.id, 'acme-gone'])
    expect((await bed.call('GET', `/v1/components/${path}`)).status).toBe(404);
  expect([await listIds({ key: 'acme-gone' }), await listIds({ published: 'true', key: 'acme-gone' })]).toEqual([
    [],
    [],
  ]);
  expect((await purge(saved.id)).status).toBe(404);
  const deployed = await bed.call('POST', '/v1/sources', { body: { component_id: saved.id } });
  expect([deployed.status, deployed.body.details]).toEqual([404, { field: 'component_id', record: 'component' }]);
  expect((await bed.call('POST', `/v1/sources/${source.id}/run`, { query: { wait: '1' } })).status).toBe(200);
  expect(dataOf(await publish(text))).toMatchObject({ id: saved.id, published: true, code: text });
});

test('refuses a component that cannot be published, says what to do, and does not save it', async () => {
  await publish(code({ key: 'acme-q', version: '1.0.0' }));
  const low = code({ key: 'acme-q', version: '0.9.0' });
  const headers = { 'idempotency-key': 'low' };
  for (const [text, status, why, message] of [
    [code({}), 400, 'component_invalid', /needs a key/],
    [code({ key: 'acme-r', version: 'one' }), 400, 'component_invalid', /semantic version such as 0\.1\.0/],
    [low, 409, 'version_not_higher', /raise the component's version/],
    [low, 409, 'version_not_higher', /raise the component's version/],
  ] as const) {
    const refused = await publish(text, text === low ? headers : {});
    expect([refused.status, refused.body.code]).toEqual([status, why]);
    expect(refused.body.error).toMatch(message);
  }
  expect(await listIds({ key: 'acme-q' })).toHaveLength(1);
  const wrong = await bed.call('POST', '/v1/components', { body: { component_code: low, publish: 'yes' } });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_request']);
});
