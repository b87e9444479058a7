import { processorMs } from '../../../../primitives/processor-ms.fake.ts';
import { authFieldsIn, withAuthFields } from './auth-fields.ts';
import type { Manifest } from '../../manifest.ts';

test.each([
  ['return this.$auth.api_key', ['api_key']],
  ['`https://${this.app.$auth?.domain}` + this.$auth . region', ['domain', 'region']],
  [`$auth["key-json"], $auth?.['user.name'], $auth[\`url\`]`, ['key-json', 'url', 'user.name']],
  ['const { api_key: key, domain = "x", ...rest } = this.$auth;', ['api_key', 'domain']],
  ['const { $auth: { oauth_access_token, oauth_uid } } = this.slack', ['oauth_access_token', 'oauth_uid']],
  ['const { url } = app.$auth, { other } = this.props', ['url']],
  ['var auth = this.$auth; auth.hidden; $auth.hasOwnProperty("x")', []],
  ['this.auth.key; const $authors = 1; $authors.first', undefined],
  ['no mention', undefined],
])('%s', (code, fields) => {
  expect(authFieldsIn(code)).toEqual(fields);
});

test('reading takes bounded time for hostile code', () => {
  const readAll = (): void => {
    for (const text of ['{', '$auth', '$auth:{', '$auth[', '{a,', '{x}=', '{a}=b.', ' ', '$auth.a'])
      authFieldsIn(`$auth ${text.repeat((4 * 1024 * 1024) / text.length)}`);
  };
  expect(processorMs(readAll)).toBeLessThan(5_000);
});

test('keeps no more names than an account can have fields, and no longer ones', () => {
  const code = Array.from({ length: 200 }, (_, n) => `$auth.f${n}`).join(';');
  expect(authFieldsIn(code)).toHaveLength(50);
  expect(authFieldsIn(`$auth.${'x'.repeat(101)}`)).toEqual([]);
});

test('a manifest has authFields only when there is an app prop', () => {
  const manifest: Manifest = {
    name: 'n',
    version: '1',
    type: 'source',
    props: [],
    hooks: [],
    methods: [],
    additionalProps: false,
  };
  expect(withAuthFields(manifest, '$auth.x')).toBe(manifest);
  const withApp: Manifest = { ...manifest, props: [{ name: 'app', type: 'app', app: 'x' }] };
  expect(withAuthFields(withApp, 'no')).toBe(withApp);
  expect(withAuthFields(withApp, '$auth.x')).toEqual({ ...withApp, authFields: ['x'] });
});
