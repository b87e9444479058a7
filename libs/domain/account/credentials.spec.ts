import { credentialFieldsMax, credentialsBytesMax } from './account-bounds.ts';
import { credentialsProblem } from './credentials.ts';

test.each<[string, unknown]>([
  ['one text', { api_key: 'x' }],
  ['names of every app', { accessKeyId: 'a', 'x-y.z': 'b', _: '' }],
  [
    'as many as there may be',
    Object.fromEntries(Array.from({ length: credentialFieldsMax }, (_, n) => [`f${n}`, 'x'])),
  ],
  ['as much as there may be', { k: 'x'.repeat(credentialsBytesMax - '{"k":""}'.length) }],
])('%s is taken', (_name, credentials) => {
  expect(credentialsProblem(credentials)).toBeUndefined();
});

test.each<[string, unknown, RegExp]>([
  ['nothing', undefined, /must be an object/],
  ['a text', 'hush-hush', /must be an object/],
  ['a list', ['hush-hush'], /must be an object/],
  ['no field', {}, /at least one/],
  ['a number', { port: 5_432 }, /port must be text/],
  ['an object', { key_json: { private_key: 'hush-hush' } }, /key_json must be text/],
  ['an odd name', { 'a b': 'hush-hush' }, /"a b" cannot be the name/],
  ['a name of JavaScript', { $auth: 'hush-hush' }, /cannot be the name/],
  ['a name without end', { ['x'.repeat(10_000)]: 'hush-hush' }, /^.{0,300}$/],
  [
    'too many',
    Object.fromEntries(Array.from({ length: credentialFieldsMax + 1 }, (_, n) => [`f${n}`, 'x'])),
    /more than/,
  ],
  ['too much', { k: 'x'.repeat(credentialsBytesMax) }, /larger than/],
])('%s is refused without repeating a value', (_name, credentials, message) => {
  expect(credentialsProblem(credentials)).toMatch(message);
  expect(credentialsProblem(credentials)).not.toContain('hush');
});
