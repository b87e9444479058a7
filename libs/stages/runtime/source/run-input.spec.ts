import { gzipSync } from 'node:zlib';
import type { HttpRequestData } from '../../../domain/component/http/request-data.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { makeEventInput, unsealProps } from './run-input.ts';
import type { EventInput } from './run-input.ts';

const open = (sealed: { readonly $sealed: string }): Json => JSON.parse(sealed.$sealed) as Json;
const unsealer = { open, openBytes: ({ $sealed }: { readonly $sealed: string }) => Buffer.from($sealed, 'hex') };
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
const sourceInfo = { manifest, endpoint: 'http://e' };

const httpInput = (http: HttpRequestData): EventInput => makeEventInput(trigger({ http }), sourceInfo, unsealer);

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

test('the event of a request has the fields that component code reads, except the body, which is parsed in the sandbox', () => {
  expect(makeEventInput(trigger({ http }), sourceInfo, unsealer)).toEqual({
    event: {
      method: 'PUT',
      path: '/a',
      url: 'http://host/e/key/a?q=1',
      query: { q: '1' },
      headers: { 'content-type': 'application/json' },
      bodyRaw: '{"ü":1}',
      body: null,
      client_ip: '10.0.0.1',
    },
    isHttp: true,
    secrets: [],
  });
});

test('sealed headers are restored, and their tokens, passwords and cookies count as secrets', () => {
  const basic = `Basic ${Buffer.from('user:the password').toString('base64')}`;
  const sealedHeaders = sealed({ authorization: basic, cookie: 'a=first cookie; b=second=cookie' });
  const { event, secrets } = httpInput({ ...http, sealedHeaders });
  expect((event as JsonObject)['headers']).toMatchObject({ authorization: basic, 'content-type': 'application/json' });
  expect(secrets).toEqual(expect.arrayContaining([basic, 'the password', 'first cookie', 'second=cookie']));
  const bearer = httpInput({ ...http, sealedHeaders: sealed({ authorization: 'Bearer abc.def' }) });
  expect(bearer.secrets).toContain('abc.def');
});

test('a sealed body is restored, and bytes that are not text are given in base64', () => {
  const sealedBody = (hex: string): EventInput => httpInput({ ...http, bodyBase64: '', sealedBody: { $sealed: hex } });
  expect(sealedBody('c3bc').event).toMatchObject({ bodyRaw: '\u00fc' });
  expect(sealedBody('c3bc').event).not.toHaveProperty('bodyBase64');
  expect(sealedBody('ff00').event).toMatchObject({ bodyRaw: '', bodyBase64: '/wA=' });
});

test('an encoded body is given as it is decoded, and in base64 as it was sent', () => {
  const encoded = (bytes: Buffer): Json => {
    const headers = { ...http.headers, 'content-encoding': 'gzip' };
    return httpInput({ ...http, headers, bodyBase64: bytes.toString('base64') }).event;
  };
  const inGzip = (bytes: Buffer): Json => encoded(gzipSync(bytes));
  const sentBase64 = gzipSync('{"ü":1}').toString('base64');
  expect(inGzip(Buffer.from('{"ü":1}'))).toMatchObject({ bodyRaw: '{"ü":1}', sentBase64 });
  expect(inGzip(Buffer.from('{"ü":1}'))).not.toHaveProperty('bodyBase64');
  expect(inGzip(Buffer.from([255, 0]))).toMatchObject({ bodyRaw: '', bodyBase64: '/wA=' });
  for (const asSent of [encoded(Buffer.from('{"ü":1}')), inGzip(Buffer.alloc(600_000))])
    expect(asSent).not.toHaveProperty('sentBase64');
});

test('a run gets the event that its trigger carries, whatever JSON it is, and a hook gets an empty one', () => {
  for (const event of [{ a: [1] }, [], 'text', 0, false])
    expect(makeEventInput(trigger({ kind: 'manual', event }), sourceInfo, unsealer)).toEqual({
      event,
      isHttp: false,
      secrets: [],
    });
  expect(makeEventInput(trigger({ kind: 'activate' }), sourceInfo, unsealer).event).toEqual({});
});

test('a manual run without an event gets a sample event that suits the interface of its source', () => {
  const manual = (...types: readonly string[]): Json => {
    const props = types.map((type, index) => ({ name: `p${index}`, type }));
    return makeEventInput(trigger({ kind: 'manual' }), { ...sourceInfo, manifest: { ...manifest, props } }, unsealer)
      .event;
  };
  expect(manual()).toEqual({ timestamp: 12 });
  expect(manual('$.interface.http', '$.interface.timer')).toEqual({ timestamp: 12 });
  expect(manual('$.interface.http')).toMatchObject({ method: 'POST', path: '/', body: {}, url: 'http://e' });
});

test('props are unsealed and named as secrets, the http interface gets its endpoint, unset ones stay absent', () => {
  const unsealed = unsealProps({ manifest, props: { key: sealed('top secret'), plain: 5 } }, 'http://e', open);
  expect(unsealed).toEqual({
    props: { key: 'top secret', plain: 5, http: { endpoint: 'http://e' } },
    secrets: ['top secret'],
  });
});

test('masks only those values of a configured request that may be keys', () => {
  const request = {
    method: 'POST',
    url: 'https://api.example/items?api_key=in the url',
    params: { page: 'the second' },
    headers: [
      { name: 'X-Custom', value: 'header value' },
      { name: 'Accept', value: 'application/json' },
    ],
    auth: { type: 'basic', username: 'somebody', password: 'hunter22' },
    body: {
      fields: [
        { name: 'access_token', value: 'of a field' },
        { name: 'title', value: 'a long title' },
      ],
    },
  };
  const requestManifest = { ...manifest, props: [{ name: 'request', type: 'http_request' }] };
  const unsealed = unsealProps({ manifest: requestManifest, props: { request: sealed(request) } }, 'http://e', open);
  expect(unsealed).toEqual({
    props: { request },
    secrets: ['in the url', 'of a field', 'header value', 'hunter22', 'somebody:hunter22'],
  });
});
