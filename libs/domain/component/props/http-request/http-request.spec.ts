// Which configured requests are accepted, and how they are read.
import type { Json } from '../../../json.ts';
import { validateProps } from '../validate.ts';
import { readRequest } from './configured-request.ts';

const url = 'https://api.example/items';

test('a request is read from lists or objects, and its method decides whether it has a body', () => {
  const rows = [
    { name: 'x-a', value: 1 },
    { name: '', value: 'an empty row' },
  ];
  expect(readRequest({ url, headers: rows, body: { fields: rows } })).toEqual({
    request: { method: 'GET', url, headers: [{ name: 'x-a', value: 1 }], params: [], body: null, auth: null },
  });
  expect(
    readRequest({ method: 'post', url, params: { a: 'b' }, body: { raw: '<x/>' }, auth: { type: 'none' } }),
  ).toEqual({
    request: {
      method: 'POST',
      url,
      headers: [],
      params: [{ name: 'a', value: 'b' }],
      auth: null,
      body: { kind: 'raw', contentType: 'text/plain', text: '<x/>' },
    },
  });
  expect(
    readRequest({ method: 'PUT', url, body: { mode: 'fields', fields: rows }, auth: { type: 'bearer', token: 't' } }),
  ).toMatchObject({
    request: {
      body: { kind: 'fields', contentType: 'application/json', fields: [{ name: 'x-a', value: 1 }] },
      auth: { kind: 'bearer', token: 't' },
    },
  });
});

test.each<[string, Json, RegExp]>([
  ['a text', url, /must be an object/],
  ['no url', { method: 'GET' }, /needs a url/],
  ['half a url', { url: '/items' }, /must be whole/],
  ['another scheme', { url: 'file:///etc/passwd' }, /neither with https/],
  ['credentials in the url', { url: 'https://u:hunter22@api.example' }, /give them as "auth"/],
  ['an unknown method', { url, method: 'TRACE' }, /other than GET, HEAD/],
  ['a header that is none', { url, headers: { 'a b': 'c' } }, /header whose name/],
  ['a header with a line break', { url, headers: [{ name: 'a', value: 'b\r\nc: d' }] }, /header whose value/],
  ['params that are text', { url, params: 'a=b' }, /params that are no list/],
  ['an unknown body', { url, method: 'POST', body: { mode: 'stream' } }, /not fields, raw or none/],
  ['a content type with a line break', { url, method: 'POST', body: { raw: 'x', contentType: 'a\nb' } }, /contentType/],
  ['an unknown auth', { url, auth: { type: 'digest' } }, /not basic, bearer or none/],
])('%s is refused, without its value', (_what, value, message) => {
  const read = readRequest(value);
  expect(read).toEqual({ problem: expect.stringMatching(message) });
  expect(JSON.stringify(read)).not.toContain('hunter22');
});

test("configured fields override the component's default, which is enough alone only if it is complete", () => {
  const valuesOf = (fallback: Json | undefined, configured: Json, optional = false): unknown => {
    const definition = {
      name: 'p',
      type: 'http_request',
      optional,
      ...(fallback === undefined ? {} : { default: fallback }),
    };
    const described = {
      name: 'n',
      version: '1',
      type: 'source',
      hooks: [],
      methods: [],
      additionalProps: false,
    } as const;
    const validated = validateProps({ ...described, props: [definition] }, { p: configured });
    return 'values' in validated ? validated.values['p'] : validated.problems[0]?.message;
  };
  expect(valuesOf({ method: 'POST' }, { url })).toEqual({ method: 'POST', url });
  expect(valuesOf({ method: 'POST', url }, null)).toEqual({ method: 'POST', url });
  expect(valuesOf({ method: 'POST' }, null)).toBe('Prop "p" needs a url.');
  expect(valuesOf({ method: 'POST' }, null, true)).toBeUndefined();
  expect(valuesOf(undefined, null)).toBe('Prop "p" is required (http_request).');
});
