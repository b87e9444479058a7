import { credentialsIn, fieldsOf, ownField } from './credential-fields.ts';

const github = JSON.stringify([
  { name: 'host', label: 'Host', type: 'string' },
  { name: 'token', label: 'Token', type: 'password' },
]);

test('the fields that an app is known for are asked by their labels, secrets unseen', () => {
  expect(fieldsOf(github).map(({ label, isSecret }) => [label, isSecret])).toEqual([
    ['Host', false],
    ['Token', true],
  ]);
});

test('fields that an account has beside them stay', () => {
  expect(fieldsOf(github, ['token', 'region']).map(({ name }) => name)).toEqual(['host', 'token', 'region']);
});

test('of an app of which nothing is known one field is asked, and its name', () => {
  expect([fieldsOf(undefined), fieldsOf('[]')]).toEqual([[ownField], [ownField]]);
});

test('what was left empty is no credential', () => {
  const [host, token] = fieldsOf(github);
  if (host === undefined || token === undefined) throw new Error('there are two');
  expect(credentialsIn([host, token])).toBeUndefined();
  expect(credentialsIn([host, { ...token, value: ' t ' }, { ...ownField, name: ' key ', value: 'k' }])).toEqual({
    token: ' t ',
    key: 'k',
  });
});
