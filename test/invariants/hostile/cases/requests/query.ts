// Hostile query strings and paths.
import type { RequestAttack } from '../attack.ts';
import { api, brackets, endpoint, invalid } from './wire.ts';

const code = JSON.stringify({
  component_code:
    "module.exports = { name: 'Q', version: '1', props: { a: { type: 'any', optional: true } }, run() {} };",
});
const deploy = (name: string, props: string): RequestAttack =>
  api(`query: configured_props ${name}`, { path: `/v1/sources?configured_props=${props}`, body: code }, invalid);
const list = (name: string, query: string): RequestAttack =>
  api(`query: ${name}`, () => ({ path: `/v1/sources?${query}` }), invalid);

const props: readonly RequestAttack[] = [
  deploy('nested 4,000 deep', `{%22a%22:${brackets(4_000)}}`),
  deploy('nested 7,500 deep', `{%22a%22:${brackets(7_500)}}`),
  deploy('nested 100 deep', `{%22a%22:${brackets(100)}}`),
  deploy('that is a list', '[1,2]'),
  deploy('that is a number', '5'),
  deploy('that is no JSON', '{%22a%22'),
  deploy('with __proto__', '{%22__proto__%22:{%22a%22:1}}'),
  deploy('with half of a UTF-16 pair', '{%22a%22:%22\\ud800%22}'),
  deploy('with NUL', '{%22a%22:%22\\u0000%22}'),
  deploy('twice', '{}&configured_props={}'),
];

const lists: readonly RequestAttack[] = [
  list('limit as an object', 'limit[a]=1'),
  list('limit as a list', 'limit=1&limit=2'),
  list('limit beyond every number', `limit=${'9'.repeat(400)}`),
  list('limit as a regular expression', 'limit=(1%2B)%2B$'),
  list('a cursor that is none', `after=${'A'.repeat(5_000)}`),
  list('a cursor of JSON', 'after=eyJfX3Byb3RvX18iOnsiYSI6MX19'),
  list('a parameter called __proto__', '__proto__=1'),
  list('two thousand parameters', Array.from({ length: 2_000 }, (_, n) => `p${n}`).join('&')),
  list('NUL', 'include=a%00b'),
  list('include of ten thousand names', `include=${'a,'.repeat(6_000)}`),
  api('query: a percent sign that encodes nothing', { path: '/v1/sources?include=%zz%' }, { statuses: [200, 400] }),
  api('query: bytes that are no UTF-8', { path: '/v1/sources?include=%ff%ed%a0%80' }, { statuses: [200, 400] }),
  api(
    'query: a parameter called constructor is named',
    { path: '/v1/sources?constructor=1' },
    { ...invalid, answer: /"field":"constructor"/ },
  ),
  api(
    'query: a schedule of 5,000 retries',
    { path: `/v1/webhooks?retry_schedule=${'1,'.repeat(5_000)}1`, body: '{"url":"http://127.0.0.1:9/"}' },
    invalid,
  ),
];

const path = (name: string, target: string, statuses: readonly number[]): RequestAttack =>
  api(`path: ${name}`, () => ({ path: target }), { statuses, never: /"code":"internal"/ });

const paths: readonly RequestAttack[] = [
  path('an id called __proto__', '/v1/sources/__proto__', [404]),
  path('an id called constructor, and its runs', '/v1/sources/constructor/runs', [404]),
  path('NUL in an id', '/v1/sources/dc_%00', [400, 404]),
  path('an id of bytes that are no UTF-8', '/v1/sources/%ed%a0%80', [400, 404]),
  path('a percent sign that encodes nothing', '/v1/sources/%zz', [400, 404]),
  path('an id of 10,000 characters', `/v1/sources/${'a'.repeat(10_000)}`, [400, 404, 414]),
  path('slashes and dots', '//v1/..//v1/%2e%2e/sources/', [400, 404]),
  path('a regular expression', '/v1/sources/(a+)+$', [400, 404]),
  path('an endpoint that nobody has', `/e/${'a'.repeat(150)}/x`, [404]),
  path('an endpoint key of 10,000 characters', `/e/${'a'.repeat(10_000)}`, [400, 404, 414]),
  path('a request target of 15 KB', `/${'a/'.repeat(7_500)}`, [400, 404, 414]),
  path('a request target of 40 KB', `/${'a'.repeat(40_000)}`, [400, 414, 431]),
];

const endpoints: readonly RequestAttack[] = [
  endpoint(
    'endpoint: a path of dots, percent signs and slashes',
    () => ({ method: 'POST', path: '/../%2e%2e//%zz/%00' }),
    { statuses: [200, 400] },
  ),
  endpoint('endpoint: a query with __proto__', () => ({ method: 'POST', path: '?__proto__=1&constructor=2&a=3' }), {
    statuses: [200, 400],
  }),
  endpoint(
    'endpoint: a query of 1,500 names',
    () => ({ method: 'POST', path: `?${Array.from({ length: 1_500 }, (_, n) => `p${n}`).join('&')}` }),
    { statuses: [200, 400, 414] },
  ),
  endpoint('endpoint: a query of bytes that are no UTF-8', () => ({ method: 'POST', path: '?a=%ff%ed%a0%80&%zz=%' }), {
    statuses: [200, 400],
  }),
  {
    kind: 'request',
    name: 'endpoint: a key that is percent-encoded is the same key',
    request: ({ host, echoPath }) => ({
      head: [`POST /e/${percentEncoded(echoPath.slice(3))}/below HTTP/1.1`, `Host: ${host}`, 'Content-Length: 0'],
    }),
    statuses: [200],
    answer: /"path":"\/below"/,
  },
];

const percentEncoded = (text: string): string =>
  text.replace(/[a-zA-Z0-9]/, (first) => `%${first.charCodeAt(0).toString(16)}`);

export const queries: readonly RequestAttack[] = [...props, ...lists, ...paths, ...endpoints];
