import type { Manifest } from '../../../../../domain/component/manifest.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer } from '../../../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'N',
  version: '0.1.0',
  type: 'source',
  props: [],
  methods: [],
  additionalProps: false,
  hooks: [],
};

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start({ limits: { outcomeMs: 20_000 } });
  for (const text of ['first', 'second', 'saved']) bed.components.set(text, { manifest });
}, 60_000);
afterAll(() => bed?.stop());

interface SourceData {
  readonly id: string;
  readonly [name: string]: unknown;
}
const dataOf = ({ body }: Answer): SourceData => body.data as SourceData;
const deploy = async (body: object): Promise<string> => dataOf(await bed.call('POST', '/v1/sources', { body })).id;
const update = (id: string, body: object): Promise<Answer> => bed.call('PUT', `/v1/sources/${id}`, { body });
const codeOf = (id: string): Promise<Answer> => bed.call('GET', `/v1/sources/${id}/code`);

test('the code of a source is shown although no component is saved with it, and is that of the last update', async () => {
  const id = await deploy({ component_code: 'first' });
  const source = dataOf(await bed.call('GET', `/v1/sources/${id}`));
  const { component_id, code_hash } = source;
  expect((await bed.call('GET', `/v1/components/${String(component_id)}`)).status).toBe(404);
  expect(dataOf(await codeOf(id))).toEqual({ id, component_id, code_hash, code: 'first', entry: null, files: null });
  expect((await update(id, { name: 'Renamed' })).status).toBe(200);
  expect(dataOf(await codeOf(id))).toMatchObject({ code: 'first', code_hash });
  const updated = dataOf(await update(id, { component_code: 'second' }));
  expect(dataOf(await codeOf(id))).toMatchObject({ code: 'second', code_hash: updated['code_hash'] });
});

test('a refused update leaves the code unchanged, and the code of a refused first deploy is shown', async () => {
  const id = await deploy({ component_code: 'first' });
  expect((await update(id, { component_code: 'nonsense' })).status).toBe(400);
  expect(dataOf(await codeOf(id))).toMatchObject({ code: 'first' });
  const refused = await bed.call('POST', '/v1/sources', { body: { component_code: 'nonsense' } });
  expect(dataOf(await codeOf(String(refused.body.details?.['source_id'])))).toMatchObject({ code: 'nonsense' });
});

test('several files are shown as they can be sent again', async () => {
  const files = { 'source.js': 'first', 'lib/common.js': 'exports.x = 1' };
  const id = await deploy({ files, entry: 'source.js' });
  expect(dataOf(await codeOf(id))).toMatchObject({ code: 'first', entry: 'source.js', files });
});

test('the code of a source from a saved component remains when the component is deleted', async () => {
  const saved = dataOf(await bed.call('POST', '/v1/components', { body: { component_code: 'saved' } }));
  const id = await deploy({ component_id: saved.id });
  expect(dataOf(await codeOf(id))).toMatchObject({ component_id: saved.id, code: 'saved' });
  expect((await bed.call('DELETE', `/v1/components/${saved.id}`, { query: { purge: 'true' } })).status).toBe(204);
  expect(dataOf(await codeOf(id))).toMatchObject({ code: 'saved' });
});

test('a channel has no code, and neither has a deleted or unknown source', async () => {
  const channel = await deploy({ kind: 'channel', name: 'Orders' });
  const deletedId = await deploy({ component_code: 'first' });
  await bed.call('DELETE', `/v1/sources/${deletedId}`);
  for (const id of [channel, deletedId, 'dc_0000000000000000', 'first']) expect((await codeOf(id)).status).toBe(404);
});
