import { changeTextOf, actorNameOf } from './change-texts.ts';

test('changes are described, the steps that prepare them are not', () => {
  expect(changeTextOf('WebhookCreated')).toBe('created the webhook');
  expect(changeTextOf('SourceDeployRefused')).toBe('could not deploy the source');
  expect(changeTextOf('SourceConfigured')).toBeUndefined();
});

test('an actor is shown as the name of an API key if the keys are known, or as a part of the service', () => {
  const names = new Map([['key_1', 'CI']]);
  expect(actorNameOf('key_1', names)).toBe('CI');
  expect(actorNameOf('key_2', names)).toBe('A revoked key (key_2)');
  expect(actorNameOf('key_2', undefined)).toBe('A key (key_2)');
  expect(actorNameOf('lifecycle', names)).toBe('The service (lifecycle)');
  expect(actorNameOf(undefined, names)).toBe('Somebody');
});
