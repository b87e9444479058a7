import { deedOf, pageOf, whoIs } from './words.ts';

test('changes are described, the steps that prepare them are not', () => {
  expect(deedOf('WebhookCreated')).toBe('created the webhook');
  expect(deedOf('SourceDeployRefused')).toBe('could not deploy the source');
  expect(deedOf('SourceConfigured')).toBeUndefined();
});

test('each subject links to its page', () => {
  expect(pageOf('dc_0000000000000001')).toBe('/sources/dc_0000000000000001');
  expect(pageOf('sub_0000000000000001')).toBe('/subscriptions/sub_0000000000000001');
  expect(pageOf('o_0000000000000001')).toBeUndefined();
});

test('an actor is shown as the name of an API key if the keys are known, or as a part of the service', () => {
  const names = new Map([['key_1', 'CI']]);
  expect(whoIs('key_1', names)).toBe('CI');
  expect(whoIs('key_2', names)).toBe('A revoked key (key_2)');
  expect(whoIs('key_2', undefined)).toBe('A key (key_2)');
  expect(whoIs('lifecycle', names)).toBe('The service (lifecycle)');
  expect(whoIs(undefined, names)).toBe('Somebody');
});
