// Hostile query strings and paths.
import type { RequestAttack } from '../attack.ts';
import { apiRequest, brackets, endpointRequest, invalid } from './wire.ts';

const code = JSON.stringify({
  component_code:
    "module.exports = { name: 'Q', version: '1', props: { a: { type: 'any', optional: true } }, run() {} };",
});
const deployQuery = (name: string, props: string): RequestAttack =>
  apiRequest(`query: configured_props ${name}`, { path: `/v1/sources?configured_props=${props}`, body: code }, invalid);
const listQuery = (name: string, query: string): RequestAttack =>
  apiRequest(`query: ${name}`, () => ({ path: `/v1/sources?${query}` }), invalid);

const props: readonly RequestAttack[] = [
  deployQuery('nested 4,000 deep', `{%22a%22:${brackets(4_000)}}`),
  deployQuery('nested 7,500 deep', `{%22a%22:${brackets(7_500)}}`),
  deployQuery('nested 100 deep', `{%22a%22:${brackets(100)}}`),
  deployQuery('that is a list', '[1,2]'),
  deployQuery('that is a number', '5'),
  deployQuery('that is no JSON', '{%22a%22'),
  deployQuery('with __proto__', '{%22__proto__%22:{%22a%22:1}}'),
  deployQuery('with half of a UTF-16 pair', '{%22a%22:%22\\ud800%22}'),
  deployQuery('with NUL', '{%22a%22:%22\\u0000%22}'),
  deployQuery('twice', '{}&configured_props={}'),
];

const lists: readonly RequestAttack[] = [
  listQuery('limit as an object', 'limit[a]=1'),
  listQuery('limit as a list', 'limit=1&limit=2'),
  listQuery('limit beyond every number', `limit=${'9'.repeat(400)}`),
  listQuery('limit as a regular expression', 'limit=(1%2B)%2B$'),
  listQuery('a cursor that is none', `after=${'A'.repeat(5_000)}`),
  listQuery('a cursor of JSON', 'after=eyJfX3Byb3RvX18iOnsiYSI6MX19'),
  listQuery('a parameter called __proto__', '__proto__=1'),
  listQuery('two thousand parameters', Array.from({ length: 2_000 }, (_, n) => `p${n}`).join('&')),
  listQuery('NUL', 'include=a%00b'),
  listQuery('include of ten thousand names', `include=${'a,'.repeat(6_000)}`),
  apiRequest(
    'query: a percent sign that encodes nothing',
    { path: '/v1/sources?include=%zz%' },
    { statuses: [200, 400] },
  ),
  apiRequest('query: bytes that are no UTF-8', { path: '/v1/sources?include=%ff%ed%a0%80' }, { statuses: [200, 400] }),
  apiRequest(
    'query: a parameter called constructor is named',
    { path: '/v1/sources?constructor=1' },
    { ...invalid, answer: /"field":"constructor"/ },
  ),
  apiRequest(
    'query: a schedule of 5,000 retries',
    { path: `/v1/webhooks?retry_schedule=${'1,'.repeat(5_000)}1`, body: '{"url":"http://127.0.0.1:9/"}' },
    invalid,
  ),
];

const rawPath = (name: string, target: string, statuses: readonly number[]): RequestAttack =>
  apiRequest(`path: ${name}`, () => ({ path: target }), { statuses, never: /"code":"internal"/ });

const paths: readonly RequestAttack[] = [
  rawPath('an id called __proto__', '/v1/sources/__proto__', [404]),
  rawPath('an id called constructor, and its runs', '/v1/sources/constructor/runs', [404]),
  rawPath('NUL in an id', '/v1/sources/dc_%00', [400, 404]),
  rawPath('an id of bytes that are no UTF-8', '/v1/sources/%ed%a0%80', [400, 404]),
  rawPath('a percent sign that encodes nothing', '/v1/sources/%zz', [400, 404]),
  rawPath('an id of 10,000 characters', `/v1/sources/${'a'.repeat(10_000)}`, [400, 404, 414]),
  rawPath('slashes and dots', '//v1/..//v1/%2e%2e/sources/', [400, 404]),
  rawPath('a regular expression', '/v1/sources/(a+)+$', [400, 404]),
  rawPath('an endpoint that nobody has', `/e/${'a'.repeat(150)}/x`, [404]),
  rawPath('an endpoint key of 10,000 characters', `/e/${'a'.repeat(10_000)}`, [400, 404, 414]),
  rawPath('a request target of 15 KB', `/${'a/'.repeat(7_500)}`, [400, 404, 414]),
  rawPath('a request target of 40 KB', `/${'a'.repeat(40_000)}`, [400, 414, 431]),
];

const endpoints: readonly RequestAttack[] = [
  endpointRequest(
    'endpoint: a path of dots, percent signs and slashes',
    () => ({ method: 'POST', path: '/../%2e%2e//%zz/%00' }),
    { statuses: [200, 400] },
  ),
  endpointRequest(
    'endpoint: a query with __proto__',
    () => ({ method: 'POST', path: '?__proto__=1&constructor=2&a=3' }),
    {
      statuses: [200, 400],
    },
  ),
  endpointRequest(
    'endpoint: a query of 1,500 names',
    () => ({ method: 'POST', path: `?${Array.from({ length: 1_500 }, (_, n) => `p${n}`).join('&')}` }),
    { statuses: [200, 400, 414] },
  ),
  endpointRequest(
    'endpoint: a query of bytes that are no UTF-8',
    () => ({ method: 'POST', path: '?a=%ff%ed%a0%80&%zz=%' }),
    {
      statuses: [200, 400],
    },
  ),
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
