// Hostile request lines and header fields.
import type { RequestAttack, Target } from '../attack.ts';
import { apiRequest, invalid, unauthorized, formatRequest } from './wire.ts';
import type { ExpectedResponse } from './wire.ts';

/** A case with these head lines, sent unchanged. */
const headLines = (
  name: string,
  head: (target: Target) => readonly string[],
  expected: ExpectedResponse,
): RequestAttack => ({
  kind: 'request',
  name: `header: ${name}`,
  request: (target) => ({ head: head(target) }),
  ...expected,
});
const headerFields = (name: string, fields: readonly string[], expected: ExpectedResponse): RequestAttack =>
  apiRequest(`header: ${name}`, () => ({ path: '/v1/sources', fields }), expected);
/** A case with this header instead of the right key. */
const authorizationHeader = (name: string, authorization: string): RequestAttack =>
  apiRequest(
    `header: ${name}`,
    { path: '/v1/sources', keyless: true, fields: [`Authorization: ${authorization}`] },
    unauthorized,
  );

const bad: ExpectedResponse = { statuses: [400] };
const get = 'GET /v1/sources HTTP/1.1';

const hosts: readonly RequestAttack[] = [
  headLines(
    'two hosts',
    ({ host, apiKey }) => [get, `Host: ${host}`, 'Host: evil', `Authorization: Bearer ${apiKey}`],
    invalid,
  ),
  headLines(
    'two hosts at an endpoint',
    ({ host, echoPath }) => [`POST ${echoPath} HTTP/1.1`, `Host: ${host}`, 'Host: evil', 'Content-Length: 0'],
    bad,
  ),
  headLines('no host', ({ apiKey }) => [get, `Authorization: Bearer ${apiKey}`], invalid),
  headLines(
    'an absolute target at an endpoint',
    ({ host, echoPath }) => [`POST http://evil${echoPath}/below HTTP/1.1`, `Host: ${host}`, 'Content-Length: 0'],
    {
      statuses: [200, 400],
      never: /evil|"path":"\/p|http:\/\/.*http:\/\//,
    },
  ),
  headLines(
    'an absolute target at the API',
    ({ host, apiKey }) => ['GET http://evil/v1/users/me HTTP/1.1', `Host: ${host}`, `Authorization: Bearer ${apiKey}`],
    {
      statuses: [200, 400, 404],
      never: /"code":"internal"/,
    },
  ),
];

const methods: readonly RequestAttack[] = [
  ...['QUERY', 'PUT', 'PATCH', 'TRACE', 'SEARCH'].map((method) =>
    apiRequest(
      `header: the method ${method}`,
      { path: '/v1/sources', method },
      { statuses: method === 'TRACE' ? [404, 405] : [405] },
    ),
  ),
  headLines('a method that nobody knows', ({ host }) => ['HOSTILE /v1/sources HTTP/1.1', `Host: ${host}`], {
    statuses: [400, 404, 405],
  }),
  // A tunnel request may be closed without an answer.
  headLines('CONNECT', ({ host }) => ['CONNECT evil:443 HTTP/1.1', `Host: ${host}`], {
    statuses: [0, 400, 404, 405, 501],
  }),
  headLines('another protocol', () => ['PRI * HTTP/2.0'], { statuses: [400, 505] }),
  headLines('a version that does not exist', ({ host }) => ['GET /v1/sources HTTP/9.9', `Host: ${host}`], {
    statuses: [400, 505],
  }),
];

const lengths: readonly RequestAttack[] = [
  headLines(
    'a length and chunks',
    ({ host, echoPath }) => [
      `POST ${echoPath} HTTP/1.1`,
      `Host: ${host}`,
      'Content-Length: 5',
      'Transfer-Encoding: chunked',
    ],
    bad,
  ),
  headLines(
    'two lengths',
    ({ host, echoPath }) => [`POST ${echoPath} HTTP/1.1`, `Host: ${host}`, 'Content-Length: 0', 'Content-Length: 1'],
    bad,
  ),
  headLines(
    'a length below nothing',
    ({ host, echoPath }) => [`POST ${echoPath} HTTP/1.1`, `Host: ${host}`, 'Content-Length: -1'],
    bad,
  ),
  headLines(
    'a length of 10 GB',
    ({ host, echoPath }) => [`POST ${echoPath} HTTP/1.1`, `Host: ${host}`, 'Content-Length: 10000000000'],
    { statuses: [413] },
  ),
  {
    kind: 'request',
    name: 'header: chunks whose size is no number',
    request: ({ host, echoPath }) => ({
      head: [`POST ${echoPath} HTTP/1.1`, `Host: ${host}`, 'Transfer-Encoding: chunked'],
      body: 'zz\r\n{}\r\n0\r\n\r\n',
    }),
    ...bad,
  },
  {
    kind: 'request',
    name: 'header: chunks of 600 KiB at an endpoint',
    request: ({ host, echoPath }) => ({
      head: [`POST ${echoPath} HTTP/1.1`, `Host: ${host}`, 'Transfer-Encoding: chunked'],
      body: `${'1000\r\n'}${'x'.repeat(4096)}\r\n`.repeat(150) + '0\r\n\r\n',
    }),
    statuses: [413],
    code: 'too_large',
  },
];

const fields: readonly RequestAttack[] = [
  headerFields('one of 60 KB', [`X-Large: ${'a'.repeat(60_000)}`], { statuses: [431] }),
  headerFields(
    'five hundred',
    Array.from({ length: 500 }, (_, n) => `X-${n}: a`),
    { statuses: [200, 400, 431] },
  ),
  headerFields('a name with a space', ['X Bad: a'], bad),
  headerFields('a value with NUL', ['X-Bad: a\0b'], bad),
  headerFields('a value that goes on in the next line', ['X-Folded: a', ' b'], { statuses: [200, 400] }),
  headerFields('an expectation that nobody can meet', ['Expect: a miracle'], { statuses: [417] }),
  headerFields('an upgrade', ['Upgrade: websocket', 'Sec-WebSocket-Key: AAAA'], { statuses: [200, 400, 426] }),
  apiRequest(
    'header: an idempotency key of 300 characters',
    { path: '/v1/webhooks', body: '{"url":"http://127.0.0.1:9/"}', fields: [`Idempotency-Key: ${'k'.repeat(300)}`] },
    invalid,
  ),
  apiRequest(
    'header: an idempotency key of bytes',
    { path: '/v1/webhooks', body: '{"url":"http://127.0.0.1:9/"}', fields: ['Idempotency-Key: \u00ff\u00fe'] },
    invalid,
  ),
  authorizationHeader('a key of 10,000 characters', `Bearer ${'a'.repeat(10_000)}`),
  authorizationHeader('a key that is a regular expression', 'Bearer (a+)+$'),
  authorizationHeader('a key among ten thousand spaces', `Bearer${' '.repeat(10_000)}a b`),
  authorizationHeader('no scheme but a list', '["Bearer"]'),
  authorizationHeader('a key called constructor', 'Bearer constructor'),
];

/** Cookies count as secrets, which are searched for in the whole run record. */
const atEndpoints: readonly RequestAttack[] = [
  {
    kind: 'request',
    name: 'endpoint: a cookie of 15 KB of one letter',
    request: (target) =>
      formatRequest(target, {
        path: target.echoPath,
        keyless: true,
        body: `"${'a'.repeat(250_000)}"`,
        fields: [`Cookie: ${'a'.repeat(15_000)}`],
      }),
    statuses: [200],
  },
  {
    kind: 'request',
    name: 'endpoint: fields called __proto__ and constructor',
    request: (target) =>
      formatRequest(target, {
        path: target.echoPath,
        keyless: true,
        method: 'POST',
        fields: ['__proto__: a', 'constructor: b', 'toString: c', 'Content-Length: 0'],
      }),
    statuses: [200, 400],
  },
];

export const headers: readonly RequestAttack[] = [...hosts, ...methods, ...lengths, ...fields, ...atEndpoints];
