import type { Trigger } from '../../../domain/component/messages.ts';
import type { Json } from '../../../domain/json.ts';
import { sizes } from '../../../domain/sizes.ts';
import { parseBody } from './body.ts';
import { givenEvent, givenProps } from './given.ts';

const open = (sealed: { readonly $sealed: string }): Json => JSON.parse(sealed.$sealed) as Json;
const sealed = (value: Json): { readonly $sealed: string } => ({ $sealed: JSON.stringify(value) });

const trigger = (data: Partial<Trigger['data']>): Trigger => ({
  id: 'rec_1',
  type: 'TriggerRequested',
  version: 1,
  key: 'dc_1',
  data: { sourceId: 'dc_1', kind: 'http', revision: 1, ...data },
  at: 12_345,
  workspace: 'o_1',
  correlationId: 'req_1',
  causationId: 'req_1',
});

const http = {
  method: 'PUT',
  path: '/a',
  url: 'http://host/e/key/a?q=1',
  query: { q: '1' },
  headers: { 'content-type': 'application/json' },
  sealedHeaders: null,
  bodyBase64: Buffer.from('{"ü":1}').toString('base64'),
  clientIp: '10.0.0.1',
};

test('the event of a request has what component code reads of it', () => {
  expect(givenEvent(trigger({ http }), open)).toEqual({
    event: {
      method: 'PUT',
      path: '/a',
      url: 'http://host/e/key/a?q=1',
      query: { q: '1' },
      headers: { 'content-type': 'application/json' },
      bodyRaw: '{"ü":1}',
      body: { ü: 1 },
      client_ip: '10.0.0.1',
    },
    secrets: [],
  });
});

test('sealed headers are put back, and their tokens, passwords and cookies count as secrets', () => {
  const basic = `Basic ${Buffer.from('user:the password').toString('base64')}`;
  const sealedHeaders = sealed({ authorization: basic, cookie: 'a=first cookie; b=second=cookie' });
  const { event, secrets } = givenEvent(trigger({ http: { ...http, sealedHeaders } }), open);
  expect(event['headers']).toMatchObject({ authorization: basic, 'content-type': 'application/json' });
  expect(secrets).toEqual(expect.arrayContaining([basic, 'the password', 'first cookie', 'second=cookie']));
  const bearer = givenEvent(
    trigger({ http: { ...http, sealedHeaders: sealed({ authorization: 'Bearer abc.def' }) } }),
    open,
  );
  expect(bearer.secrets).toContain('abc.def');
});

test('a manual run gets an object with the time in seconds, a hook an empty one', () => {
  expect(givenEvent(trigger({ kind: 'manual' }), open).event).toEqual({ timestamp: 12 });
  expect(givenEvent(trigger({ kind: 'activate' }), open).event).toEqual({});
});

test('props are unsealed and named as secrets, the http interface gets its endpoint, unset ones stay absent', () => {
  const manifest = {
    name: 'n',
    version: '1',
    type: 'source',
    props: [
      { name: 'http', type: '$.interface.http', customResponse: true },
      { name: 'db', type: '$.service.db' },
      { name: 'unset', type: 'string', optional: true },
    ],
    hooks: [],
    methods: [],
    additionalProps: false,
  } as const;
  const given = givenProps({ manifest, props: { key: sealed('top secret'), plain: 5 } }, 'http://e', open);
  expect(given).toEqual({
    props: { key: 'top secret', plain: 5, http: { endpoint: 'http://e' } },
    secrets: ['top secret'],
  });
});

test.each<[string | undefined, string, Json]>([
  ['application/json; charset=utf-8', '{"a":[1]}', { a: [1] }],
  ['application/vnd.github+json', '"text"', 'text'],
  ['application/json', '{broken', '{broken'],
  ['application/json', '', ''],
  ['application/x-www-form-urlencoded', 'a=1&b=x+y&a=2', { a: ['1', '2'], b: 'x y' }],
  ['text/plain', '{"a":1}', '{"a":1}'],
  [undefined, ' {"a":1}', { a: 1 }],
  [undefined, '17', '17'],
  ['multipart/form-data', 'no boundary', 'no boundary'],
])('a body of type %s with text %j is parsed as what it is', (contentType, text, body) => {
  expect(parseBody(contentType, text)).toEqual(body);
});

test('the text fields of a multipart form become an object', () => {
  const text = [
    '--b1',
    'Content-Disposition: form-data; name="a"',
    '',
    'first\r\nline two',
    '--b1',
    'Content-Disposition: form-data; name="file"; filename="f.txt"',
    'Content-Type: text/plain',
    '',
    'not a field',
    '--b1',
    'content-disposition: form-data; name="b"',
    '',
    '',
    '--b1--',
    '',
  ].join('\r\n');
  expect(parseBody('multipart/form-data; boundary="b1"', text)).toEqual({ a: 'first\r\nline two', b: '' });
});

test('JSON that is nested too deep to be passed on stays text', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  expect(parseBody('application/json', nested(256))).toEqual(JSON.parse(nested(256)));
  for (const text of [nested(257), nested(100_000), `{"a":${nested(256)}}`]) {
    expect(parseBody('application/json', text)).toBe(text);
  }
});

test('a form of nothing but one name, as large as a body may be, is read at once', () => {
  const startedAt = performance.now();
  const { a } = parseBody('application/x-www-form-urlencoded', 'a&'.repeat(sizes.endpointBodyBytes / 2)) as {
    a: string[];
  };
  expect(a).toHaveLength(sizes.endpointBodyBytes / 2);
  // A second on a busy machine; work that grows with the square of the size takes a quarter of an hour.
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});
