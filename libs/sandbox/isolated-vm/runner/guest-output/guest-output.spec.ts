// Output of a guest is read field by field; values of a wrong type or beyond their limits are rejected.
import { channelUnitsMax } from '../../wire.ts';
import { readJson, readObject } from './json.ts';
import { readEmit } from './read-emit.ts';
import { readResponse } from './read-response.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test('an emit has what is of the right type, and no more', () => {
  const emit = { channel: 'c', id: 'a', summary: 's', ts: 1, deliveryTs: 2, event: { n: 1 } };
  expect(readEmit(JSON.stringify({ ...emit, more: 1 }))).toEqual(emit);
  expect(readEmit(JSON.stringify({ ...emit, id: 7 }))).toEqual({ ...emit, id: 7 });
  const wrong = { channel: 'c', id: { a: 1 }, summary: 1, ts: '1', deliveryTs: null, event: null };
  expect(readEmit(JSON.stringify(wrong))).toEqual({ channel: 'c', event: null });
});

test.each([
  ['no channel', { event: 1 }],
  ['no event', { channel: '' }],
  ['a channel of the service', { channel: '$logs', event: 1 }],
  ['too long a channel', { channel: 'x'.repeat(channelUnitsMax + 1), event: 1 }],
])('an emit with %s is none', (_what, emit) => {
  expect(readEmit(JSON.stringify(emit))).toBeUndefined();
});

const head = (more: object = {}): string => JSON.stringify({ status: 200, headers: {}, ...more });

test('a response has its status, the headers that are texts, and its body in base64', () => {
  const headers = { a: '1', b: ['2', 3], c: 4, d: null };
  expect(readResponse(head({ headers }), 'é', 2)).toEqual({
    status: 200,
    headers: { a: '1', b: ['2'] },
    bodyBase64: Buffer.from('é').toString('base64'),
  });
  expect(readResponse(head({ encoding: 'base64' }), btoa('abcd'), 4)?.bodyBase64).toBe(btoa('abcd'));
});

test.each([99, 600, 200.5, '200', null])('a response with the status %j is none', (status) => {
  expect(readResponse(head({ status }), '', 10)).toBeUndefined();
});

test('a response whose body is too large, or no base64 where it should be, is none', () => {
  expect(readResponse(head(), 'é', 1)).toBeUndefined();
  expect(readResponse(head({ encoding: 'base64' }), btoa('x'.repeat(30)), 20)).toBeUndefined();
  for (const body of ['a b', 'abc\n', '====', 'é'])
    expect(readResponse(head({ encoding: 'base64' }), body, 100)).toBeUndefined();
});

test('JSON is read unless it is none, or nested deeper than a record may be', () => {
  expect([readJson('1'), readJson('null'), readJson('{'), readJson('')]).toEqual([1, null, undefined, undefined]);
  expect([readJson(nested(10)) !== undefined, readJson(nested(10_000))]).toEqual([true, undefined]);
  expect(readObject('{"a":1}')).toEqual({ a: 1 });
  for (const text of ['{', 'null', '1', '"a"', '[1]', `{"a":${nested(10_000)}}`]) expect(readObject(text)).toEqual({});
});
