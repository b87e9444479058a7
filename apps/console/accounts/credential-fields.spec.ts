import { credentialsIn, fieldsOf, newUserField } from './credential-fields.ts';

const github = JSON.stringify([
  { name: 'host', label: 'Host', type: 'string' },
  { name: 'token', label: 'Token', type: 'password' },
]);

test('the known fields of an app are asked for by their labels, secrets hidden', () => {
  expect(fieldsOf(github).map(({ label, isSecret }) => [label, isSecret])).toEqual([
    ['Host', false],
    ['Token', true],
  ]);
});

test('other fields that the account already has are kept', () => {
  expect(fieldsOf(github, ['token', 'region']).map(({ name }) => name)).toEqual(['host', 'token', 'region']);
});

test('for an unknown app the form asks for one field and its name', () => {
  expect([fieldsOf(undefined), fieldsOf('[]')]).toEqual([[newUserField], [newUserField]]);
});

test('fields left empty are not sent', () => {
  const [host, token] = fieldsOf(github);
  if (host === undefined || token === undefined) throw new Error('there are two');
  expect(credentialsIn([host, token])).toBeUndefined();
  expect(credentialsIn([host, { ...token, value: ' t ' }, { ...newUserField, name: ' key ', value: 'k' }])).toEqual({
    token: ' t ',
    key: 'k',
  });
});
