import type { Json, JsonObject } from '../../json.ts';
import type { PropDefinition } from '../../component/manifest.ts';
import { configure, retainedProps } from './configure.ts';
import type { StoredProps } from './configure.ts';

const sealing = {
  seal: (value: Json) => ({ $sealed: JSON.stringify(value) }),
  unseal: ({ $sealed }: { readonly $sealed: string }) => JSON.parse($sealed) as Json,
  appOf: () => undefined,
};
const manifestOf = (...props: readonly PropDefinition[]) => ({
  name: 'My Feed',
  version: '0.0.1',
  type: 'source' as const,
  methods: [],
  additionalProps: false,
  hooks: [],
  props,
});

/** What a prop `p` that had a value is configured with once it is another one. */
function configureUpdate(
  before: PropDefinition,
  value: StoredProps[string],
  after: PropDefinition,
  changes: JsonObject = {},
) {
  const manifest = manifestOf(after);
  const current = { manifest: manifestOf(before), props: { p: value } };
  return configure(manifest, () => ({ ...retainedProps(current, manifest, sealing), ...changes }), sealing);
}

const text: PropDefinition = { name: 'p', type: 'string' };

test('an update keeps a value, unless its prop has become an interface, a store or a text in the form', () => {
  expect(configureUpdate(text, 'mine', { ...text, default: 'theirs' })).toEqual({ props: { p: 'mine' } });
  for (const type of ['$.interface.http', '$.interface.apphook', '$.service.db', 'alert', 'dir'])
    expect([type, configureUpdate(text, 'mine', { name: 'p', type, optional: true })]).toEqual([type, { props: {} }]);
  expect(configureUpdate(text, 'mine', { name: 'p', type: '$.service.db' }, { p: 'given' })).toMatchObject({
    reason: 'props_invalid',
  });
});

test('a value that equals the default gives way to the default of the new code', () => {
  const before = { ...text, default: 'old' };
  expect(configureUpdate(before, 'old', { ...text, default: 'new' })).toEqual({ props: { p: 'new' } });
  expect(configureUpdate(before, 'mine', { ...text, default: 'new' })).toEqual({ props: { p: 'mine' } });
});

test('a secret value is not given to a prop that is not secret any more', () => {
  const secret = { ...text, secret: true };
  const sealed = sealing.seal('hidden');
  expect(configureUpdate(secret, sealed, secret)).toEqual({ props: { p: sealed } });
  expect(configureUpdate(secret, sealed, { ...text, optional: true })).toEqual({ props: {} });
});

test('a missing account and a data store that is not there are said beside what else is wrong, each prop once', () => {
  const props = [
    { ...text, name: 'title' },
    { name: 'hub', type: 'app', app: 'hub' },
    { name: 'other', type: 'app', app: 'hub' },
    { name: 'seen', type: 'data_store' },
  ];
  const manifest = { ...manifestOf(...props), authFields: ['token'] };
  const given = { other: 'not an account', seen: 'ds_000000000000000N' };
  const refused = configure(manifest, () => given, { ...sealing, dataStores: [] });
  const problems = 'problems' in refused ? refused.problems : [];
  expect(problems?.map(({ prop }) => prop)).toEqual(['title', 'other', 'hub', 'seen']);
});
