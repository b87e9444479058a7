import type { Json } from '../../json.ts';
import { sizes } from '../../sizes.ts';
import { withParsedBody } from './body.ts';

const parseBody = (contentType: string | undefined, bodyRaw: string): Json | undefined =>
  withParsedBody({ headers: contentType === undefined ? {} : { 'content-type': contentType }, bodyRaw })['body'];

test('the parsed body stands in its place among the fields of the event', () => {
  const event = { method: 'POST', headers: {}, bodyRaw: '[1]', body: null, url: 'http://host/' };
  expect(JSON.stringify(withParsedBody(event))).toBe(
    '{"method":"POST","headers":{},"bodyRaw":"[1]","body":[1],"url":"http://host/"}',
  );
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
