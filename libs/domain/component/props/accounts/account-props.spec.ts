import type { Json } from '../../../json.ts';
import { configure } from '../../../source/process/configure.ts';
import type { Manifest, PropDefinition } from '../../manifest.ts';

const accountId = 'apn_8kQ2vYx0LmB4nTzR';
const value = { authProvisionId: accountId };
const manifestOf = (prop: Partial<PropDefinition>, more: Partial<Manifest> = {}): Manifest => ({
  name: 'n',
  version: '1',
  type: 'source',
  hooks: [],
  methods: [],
  additionalProps: false,
  props: [{ name: 'github', type: 'app', app: 'github', ...prop }],
  ...more,
});
const configured = (manifest: Manifest, given: { readonly [name: string]: Json } = {}) =>
  configure(manifest, () => given, {
    seal: (clear) => ({ $sealed: JSON.stringify(clear) }),
    unseal: ({ $sealed }) => JSON.parse($sealed) as Json,
    appOf: (id) => (id === accountId ? 'github' : id.endsWith('S') ? 'slack' : undefined),
  });
const problem = (result: ReturnType<typeof configured>): string =>
  'problems' in result ? (result.problems?.[0]?.message ?? '') : '';

test('accepts the id of an account of the app in the workspace', () => {
  expect(configured(manifestOf({}), { github: value })).toEqual({ props: { github: value } });
  expect(configured(manifestOf({}), { github: accountId })).toEqual({ props: { github: value } });
});

test.each([
  ['apn_000000000000000S', 'needs an account of the app github, and apn_000000000000000S is one of the app slack'],
  ['apn_0000000000000000', 'names the account apn_0000000000000000, which is not in this workspace'],
])('another account is refused: %s', (id, message) => {
  expect(configured(manifestOf({}), { github: { authProvisionId: id } })).toMatchObject({
    reason: 'props_invalid',
    message: `Prop "github" ${message}.`,
    problems: [{ prop: 'github', message: `Prop "github" ${message}.` }],
  });
});

test('a missing value is refused if the prop is required and the code reads $auth', () => {
  const authFields: readonly string[] = [];
  expect(problem(configured(manifestOf({}, { authFields })))).toMatch(
    /needs an account of the app github.*POST \/v1\/accounts/,
  );
  expect(configured(manifestOf({}))).toEqual({ props: {} });
  expect(configured(manifestOf({ optional: true }, { authFields }))).toEqual({ props: {} });
});
