import { appSlug, fieldName } from '../account-bounds.ts';
import { appIdOf, appNameOf, catalogueOf, isSecretField, labelOf } from './catalogue.ts';
import { knownApps } from './known-apps.ts';

test('every known app has a slug and fields that an account takes', () => {
  for (const [slug, { fields, auth }] of knownApps) {
    expect(slug).toMatch(appSlug);
    for (const field of fields) expect(field).toMatch(fieldName);
    expect(fields.length > 0).toBe(auth !== null);
  }
});

test('fields that components declare are added to the known ones, ordered by slug', () => {
  const apps = catalogueOf([
    { apps: ['acme_crm'], fields: ['api_key'], type: 'source' },
    { apps: ['acme_crm'], fields: ['domain', 'api_key'], type: 'action' },
    { apps: ['github', 'another'], fields: [], type: 'source' },
    { apps: ['sso'], fields: ['oauth_access_token'], type: 'source' },
  ]);
  const slugs = apps.map(({ slug }) => slug);
  expect(slugs).toEqual(slugs.toSorted());
  expect(slugs).toHaveLength(knownApps.size + 3);
  const found = (slug: string) => apps.find((app) => app.slug === slug);
  expect(found('acme_crm')).toEqual({
    slug: 'acme_crm',
    name: 'Acme Crm',
    auth: 'keys',
    fields: ['api_key', 'domain'],
    hasSources: true,
    hasActions: true,
  });
  expect(found('another')).toMatchObject({ auth: null, fields: [], hasSources: true });
  expect(found('sso')).toMatchObject({ auth: 'oauth' });
  expect(found('github')).toMatchObject({ name: 'GitHub', auth: 'oauth', hasSources: true, hasActions: false });
  expect(found('gmail')).toMatchObject({ hasSources: false });
});

test('apps and fields have readable names, and secret fields are recognized by name', () => {
  expect([appNameOf('github'), appNameOf('acme-crm_2'), appIdOf('github') === appIdOf('gitlab')]).toEqual([
    'GitHub',
    'Acme Crm 2',
    false,
  ]);
  expect(['oauth_access_token', 'accessKeyId', 'url'].map(labelOf)).toEqual([
    'Oauth access token',
    'Access key id',
    'Url',
  ]);
  expect(['api_key', 'password', 'AuthToken', 'key_json', 'subdomain', 'region'].map(isSecretField)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});
