// Hostile bodies: with a key, without one, and to endpoints that need none.
import { gzipSync } from 'node:zlib';
import type { RequestAttack } from '../attack.ts';
import { apiRequest, brackets, endpointRequest, invalid, unauthorized, formatRequest } from './wire.ts';
import type { ExpectedResponse, WireRequest } from './wire.ts';

const MiB = 1024 * 1024;
const zeros = (): string => `[${'0,'.repeat(MiB - 10)}0]`;
const sources = '/v1/sources';

const keylessRequest = (name: string, sent: () => Omit<WireRequest, 'path'>): RequestAttack =>
  apiRequest(`without a key: ${name}`, () => ({ path: sources, keyless: true, ...sent() }), unauthorized);

/** The body is announced, but never sent completely. */
const endlessBody = (name: string, body: string): RequestAttack => ({
  kind: 'request',
  name: `without a key: ${name}`,
  request: (target) => ({
    head: [
      ...formatRequest(target, { path: sources, keyless: true, method: 'POST' }).head,
      'Content-Type: application/json',
      'Content-Length: 2000000',
    ],
    body,
    endless: true,
  }),
  ...unauthorized,
});

const withoutKey: readonly RequestAttack[] = [
  keylessRequest('2 MiB of zeros in a list', () => ({ body: zeros() })),
  keylessRequest('a list nested a million deep', () => ({ body: brackets(MiB - 1) })),
  keylessRequest('a body that is no JSON', () => ({ body: '{"a":' })),
  keylessRequest('a body of no known type', () => ({ body: 'x'.repeat(100_000), type: 'application/x-unknown' })),
  keylessRequest('a wrong parameter', () => ({ body: '{"constructor":1,"__proto__":2}' })),
  endlessBody('a body that never begins', ''),
  endlessBody('a body that never ends', '['),
];

const body = (
  name: string,
  sent: string | Buffer | (() => string | Buffer),
  expected: ExpectedResponse = invalid,
): RequestAttack =>
  apiRequest(`body: ${name}`, () => ({ path: sources, body: typeof sent === 'function' ? sent() : sent }), expected);

const either400: ExpectedResponse = { statuses: [400] };
const code = '"component_code":"module.exports = {}"';

const withKey: readonly RequestAttack[] = [
  body('nested 4,000 deep', `{${code},"configured_props":{"a":${brackets(4_000)}}}`),
  body('nested 100 deep', `{${code},"configured_props":{"a":${brackets(100)}}}`),
  body('nested a million deep', () => brackets(MiB - 1)),
  body('2 MiB of zeros in a list', zeros, { statuses: [400, 413] }),
  body('3 MiB', () => `{"component_code":"${'x'.repeat(3 * MiB)}"}`, { statuses: [413], code: 'too_large' }),
  body('a list for an object', '[{}]'),
  body('a text', '"text"'),
  body('a number', '1e999'),
  body('a template literal', '`a`', either400),
  body('with a comment', `{/* */${code}}`, either400),
  body('the same name twice', `{${code},${code}}`, either400),
  body('__proto__', `{${code},"__proto__":{"admin":true}}`),
  body('a field called constructor is named', `{${code},"constructor":1}`, {
    ...invalid,
    answer: /"field":"constructor"/,
  }),
  body('NUL', '{"component_code":"a\\u0000b"}'),
  body('half of a UTF-16 pair', '{"component_code":"\\ud800"}'),
  body('half of a UTF-16 pair as a name', `{${code},"\\udfff":1}`),
  body('bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), either400),
  body('an object for the code', '{"component_code":{"toString":"x"}}'),
  body('a list for the code', '{"component_code":["a"]}'),
  body('a number for the code', '{"component_code":1}'),
  body('nothing but spaces', ' '.repeat(60_000), either400),
  body('a hundred thousand unknown names', () => `{${Array.from({ length: 100_000 }, (_, n) => `"n${n}":0`).join()}}`, {
    statuses: [400, 413],
  }),
  apiRequest(
    'body: of a webhook, 100 KiB',
    () => ({ path: '/v1/webhooks', body: `{"url":"http://127.0.0.1:9/${'a'.repeat(100 * 1024)}"}` }),
    { statuses: [413], code: 'too_large' },
  ),
  apiRequest(
    'body: compressed',
    () => ({ path: sources, body: gzipSync(`{${code}}`), fields: ['Content-Encoding: gzip'] }),
    {
      statuses: [400, 415],
    },
  ),
  apiRequest('body: of another type', { path: sources, body: '<a/>', type: 'application/xml' }, { statuses: [415] }),
  apiRequest(
    'body: of a type of 10,000 characters',
    { path: sources, body: `{${code}}`, type: `application/json;${'a=b;'.repeat(2_500)}` },
    { statuses: [400, 415] },
  ),
];

/** An accepted body is run: the source answers with what it saw. */
const acceptedAs = (type: string): ExpectedResponse => ({ statuses: [200], answer: new RegExp(`"body":"${type}"`) });
const postedBody = (
  name: string,
  type: string,
  make: () => string | Buffer,
  expected: ExpectedResponse,
): RequestAttack => endpointRequest(`endpoint: ${name}`, () => ({ path: '', body: make(), type }), expected);
const json = 'application/json';

const atEndpoints: readonly RequestAttack[] = [
  postedBody('JSON nested 250,000 deep', json, () => brackets(250_000), acceptedAs('string')),
  postedBody('JSON nested 300 deep', json, () => brackets(300), acceptedAs('string')),
  postedBody('JSON nested 200 deep', json, () => brackets(200), acceptedAs('object')),
  postedBody('513 KiB', json, () => `"${'x'.repeat(513 * 1024)}"`, { statuses: [413], code: 'too_large' }),
  postedBody(
    'JSON with __proto__ and constructor',
    json,
    () => '{"__proto__":{"a":1},"constructor":{"prototype":{}}}',
    acceptedAs('object'),
  ),
  postedBody('250,000 zeros in a list', json, () => `[${'0,'.repeat(250_000)}0]`, acceptedAs('object')),
  postedBody('JSON of UTF-16 halves and NUL', json, () => '["\\ud800","\\udfff\\u0000"]', { statuses: [200] }),
  postedBody('bytes that are no UTF-8', json, () => Buffer.alloc(100_000, 0xff), acceptedAs('string')),
  postedBody('a form of 100,000 fields', 'application/x-www-form-urlencoded', () => 'a&'.repeat(100_000), {
    statuses: [200],
  }),
  postedBody(
    'a form with __proto__',
    'application/x-www-form-urlencoded',
    () => '__proto__=1&constructor=2&__proto__=3',
    {
      statuses: [200],
    },
  ),
  postedBody('a form of percent signs', 'application/x-www-form-urlencoded', () => '%'.repeat(500_000), {
    statuses: [200],
  }),
  postedBody(
    '50,000 parts',
    'multipart/form-data; boundary=b',
    () => '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(9_000),
    { statuses: [200] },
  ),
  postedBody('parts that are only boundaries', 'multipart/form-data; boundary=b', () => '--b\r\n'.repeat(100_000), {
    statuses: [200],
  }),
  postedBody('a type that is a thousand boundaries', `multipart/form-data; ${'boundary='.repeat(1_000)}`, () => 'x', {
    statuses: [200, 400],
  }),
  postedBody('spaces before a bracket', '', () => ' '.repeat(500_000), { statuses: [200] }),
];

export const bodies: readonly RequestAttack[] = [...withoutKey, ...withKey, ...atEndpoints];
