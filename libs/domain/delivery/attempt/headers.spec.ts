import { headersProblem } from './headers.ts';

test.each([
  [{}],
  [{ Authorization: 'Bearer abc.def' }],
  [{ 'x-api-key': 'k', Cookie: 'a=b; c=d', 'User-Agent': 'mine/1' }],
  [Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-${n}`, 'v']))],
  [{ 'x-long': 'v'.repeat(4_096) }],
])('%j can be sent', (headers) => {
  expect(headersProblem(headers)).toBeUndefined();
});

test.each([
  'webhook-id',
  'Webhook-Signature',
  'x-pd-emitter-id',
  'X-Wellspring-Sample',
  'Host',
  'content-length',
  'Content-Type',
  'content-encoding',
  'connection',
  'Keep-Alive',
  'transfer-encoding',
  'TE',
  'trailer',
  'upgrade',
  'expect',
  'proxy-authorization',
  'Proxy-Connection',
])("%s is the service's own", (name) => {
  expect(headersProblem({ [name]: 'v' })).toContain(name.toLowerCase());
});

test.each([
  ['a name that is none', { 'x y': 'v' }],
  ['an empty name', { '': 'v' }],
  ['a name with a line break', { 'x\r\ny': 'v' }],
  ['a name of more than 100 characters', { ['x'.repeat(101)]: 'v' }],
  ['a name said twice', { 'X-A': 'v', 'x-a': 'v' }],
  ['an empty value', { 'x-a': '' }],
  ['a value with a line break', { 'x-a': 'v\r\nx-b: w' }],
  ['a value that ends with a space', { 'x-a': 'v ' }],
  ['a value beyond ASCII', { 'x-a': 'ü' }],
  ['a number', { 'x-a': 1 }],
  ['too long a value', { 'x-a': 'v'.repeat(4_097) }],
  ['too many', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'v']))],
])('%s cannot be sent', (_name, headers) => {
  expect(headersProblem(headers)).toEqual(expect.any(String));
});

test('a problem does not repeat the value', () => {
  expect(headersProblem({ 'x-a': 'hush\n' })).not.toContain('hush');
});
