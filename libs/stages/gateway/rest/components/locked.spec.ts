// A saved component is always built with the packages that it was saved with.
import type { Manifest } from '../../../../domain/component/manifest.ts';
import { sizes } from '../../../../domain/sizes.ts';
import type { Built } from '../../../../packages/packages.ts';
import { fakeBundle } from '../../../../packages/packages.fake.ts';
import type { FakeFunction } from '../../../../sandbox/sandbox.fake.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { Answer } from '../../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Locked',
  version: '1',
  key: 'acme-locked',
  type: 'source',
  methods: [],
  hooks: [],
  additionalProps: false,
  props: [{ name: 'list', type: 'string', remoteOptions: true, optional: true }],
};
const options: FakeFunction = ({ emit }) => emit({ event: { options: ['a'] } });

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
});
afterAll(() => bed?.stop());

/** Code that is built with packages and this lock, or without packages if the lock is null. */
function code(text: string, lock: string | null): string {
  bed.components.set(text, { manifest, forms: { configure: options } });
  const packages = lock === null ? [] : [{ name: 'left', version: '1.0.0' }];
  const built: Built = { kind: 'built', bundle: fakeBundle(text), lock, packages };
  bed.packages.outcomes.set(text, built);
  return text;
}

interface RecordData {
  readonly id: string;
  readonly component_id: string;
}
const dataOf = ({ status, body }: Answer): RecordData => {
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data as RecordData;
};
const post = (path: string, body: object): Promise<Answer> => bed.call('POST', `/v1/${path}`, { body });

/** The locks passed to the builds of this code. */
const locksFor = (text: string): readonly (string | undefined)[] =>
  bed.packages.builds.flatMap(({ program, options: { lock } }) => (program.code === text ? [lock] : []));

test('deploys, updates and forms of a saved component use the packages that it was saved with', async () => {
  const text = code('locked', 'the lock');
  const { id } = dataOf(await post('components', { component_code: text }));
  expect(locksFor(text)).toEqual([undefined]);
  const source = dataOf(await post('sources', { component_id: id }));
  expect(source.component_id).toBe(id);
  dataOf(await post('sources', { component_id: 'acme-locked' }));
  dataOf(await post('components/configure', { component_id: id, prop_name: 'list' }));
  expect(locksFor(text)).toEqual([undefined, 'the lock', 'the lock', 'the lock']);
  const other = dataOf(await post('sources', { component_code: code('other', null) }));
  dataOf(await bed.call('PUT', `/v1/sources/${other.id}`, { body: { component_id: id } }));
  expect(locksFor(text).slice(4)).toEqual(['the lock']);
});

test('code given as text has its packages resolved again and stays the same component', async () => {
  const text = code('anew', 'its lock');
  const { id } = dataOf(await post('components', { component_code: text }));
  const source = dataOf(await post('sources', { component_code: text }));
  expect([locksFor(text), source.component_id]).toEqual([[undefined, undefined], id]);
  dataOf(await bed.call('PUT', `/v1/sources/${source.id}`, { body: { component_code: text } }));
  expect(locksFor(text)).toEqual([undefined, undefined, undefined]);
});

test('refuses to save a component with a lock that is too large, but still deploys its code', async () => {
  const text = code('large', 'l'.repeat(sizes.lockBytes + 1));
  const refused = await post('components', { component_code: text });
  expect([refused.status, refused.body.code]).toEqual([400, 'component_invalid']);
  expect(refused.body.error).toContain('Import fewer packages');
  dataOf(await post('sources', { component_code: text }));
});

test('records that an older version would misread have a newer record version', async () => {
  const text = code('versions', 'a lock to find');
  const { id } = dataOf(await post('components', { component_code: text }));
  dataOf(await post('sources', { component_id: id }));
  for (const topic of ['hooks', 'saves', 'commands', 'components'] as const) {
    const carrying = bed.log.records(topic).filter(({ data }) => JSON.stringify(data ?? {}).includes('a lock to find'));
    expect([topic, new Set(carrying.map(({ version }) => version))]).toEqual([topic, new Set([7])]);
  }
});
