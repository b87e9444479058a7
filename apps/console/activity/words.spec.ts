import { deedOf, whoIs } from './words.ts';

test('changes are described, the steps that prepare them are not', () => {
  expect(deedOf('WebhookCreated')).toBe('created the webhook');
  expect(deedOf('SourceDeployRefused')).toBe('could not deploy the source');
  expect(deedOf('SourceConfigured')).toBeUndefined();
});

test('an actor is shown as the name of an API key if the keys are known, or as a part of the service', () => {
  const names = new Map([['key_1', 'CI']]);
  expect(whoIs('key_1', names)).toBe('CI');
  expect(whoIs('key_2', names)).toBe('A revoked key (key_2)');
  expect(whoIs('key_2', undefined)).toBe('A key (key_2)');
  expect(whoIs('lifecycle', names)).toBe('The service (lifecycle)');
  expect(whoIs(undefined, names)).toBe('Somebody');
});
