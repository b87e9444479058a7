import type { Trigger } from '../../../domain/component/messages.ts';
import type { Json } from '../../../domain/json.ts';
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

test('the event of a request has what component code reads of it, but for the body, which is parsed where it runs', () => {
  expect(givenEvent(trigger({ http }), open)).toEqual({
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
