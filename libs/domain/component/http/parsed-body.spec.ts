import { processorMs } from '../../../primitives/processor-ms.fake.ts';
import type { Json, JsonObject } from '../../json.ts';
import { sizes } from '../../sizes.ts';
import { withParsedBody } from './parsed-body.ts';

const parseBody = (contentType: string | undefined, bodyRaw: string): Json | undefined =>
  withParsedBody({ headers: contentType === undefined ? {} : { 'content-type': contentType }, bodyRaw })['body'];

test('the parsed body takes the place of the field body among the fields of the event', () => {
  const event = { method: 'POST', headers: {}, bodyRaw: '[1]', body: null, url: 'http://host/' };
  expect(JSON.stringify(withParsedBody(event))).toBe(
    '{"method":"POST","headers":{},"bodyRaw":"[1]","body":[1],"url":"http://host/"}',
  );
});

test('of a decoded body, bodyBase64 is what was sent, and text and body are what it was decoded to', () => {
  const headers = { 'content-type': 'application/json' };
  const decoded = { headers, bodyRaw: '[1]', body: [1], bodyBase64: 'H4sI' };
  expect(withParsedBody({ headers, bodyRaw: '[1]', sentBase64: 'H4sI' })).toEqual(decoded);
  const bodyBase64 = Buffer.from('["\u00ff"]', 'latin1').toString('base64');
  const garbled = { headers, bodyRaw: '["\ufffd"]', body: ['\ufffd'], bodyBase64: 'H4sI' };
  expect(withParsedBody({ headers, bodyRaw: '', bodyBase64, sentBase64: 'H4sI' })).toEqual(garbled);
});

test.each<[string | undefined, string, Json]>([
  ['application/json; charset=utf-8', '{"a":[1]}', { a: [1] }],
  ['application/vnd.github+json', '"text"', 'text'],
  ['application/json', '{broken', '{broken'],
  ['application/json', '', ''],
  ['application/json', '\uFEFF{"a":1}', { a: 1 }],
  [undefined, '\uFEFF[1]', [1]],
  ['application/json', '\uFEFFbroken', '\uFEFFbroken'],
  ['application/x-www-form-urlencoded', 'a=1&b=x+y&a=2', { a: ['1', '2'], b: 'x y' }],
  ['text/plain', '{"a":1}', '{"a":1}'],
  [undefined, ' {"a":1}', { a: 1 }],
  [undefined, '17', '17'],
  ['', '{"a":1}', { a: 1 }],
  ['multipart/form-data', 'no boundary', 'no boundary'],
])('a body of type %s with text %j is parsed as what it is', (contentType, text, body) => {
  expect(parseBody(contentType, text)).toEqual(body);
});

test.each<[string, Readonly<Record<string, string>>, string, Json]>([
  ['its envelope', {}, '{"Type":"SubscriptionConfirmation"}', { Type: 'SubscriptionConfirmation' }],
  ['what is no JSON', {}, 'text', 'text'],
  ['what it passes on as it was published', { 'x-amz-sns-rawdelivery': 'true' }, '{"a":1}', '{"a":1}'],
])('of the text/plain that Amazon SNS sends, %s is parsed as what it is', (_what, more, bodyRaw, body) => {
  const named = { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' };
  expect(withParsedBody({ headers: { ...named, ...more }, bodyRaw })['body']).toEqual(body);
});

const file = Buffer.from([0, 255, 13, 10, 45, 45, 98, 50, 0xc3, 0x28]);
const form = Buffer.concat([
  Buffer.from(
    [
      '--b1',
      'Content-Disposition: form-data; name="a"',
      '',
      'first\r\nline two \u20ac',
      '--b1',
      'Content-Disposition: form-data; name="file"; filename="f \u00fc.bin"',
      'Content-Type: image/png; x=y',
      '',
      '',
    ].join('\r\n'),
  ),
  file,
  Buffer.from(
    [
      '',
      '--b1',
      'content-disposition: form-data; name="file"; filename="old"; filename*=UTF-8\'\'n%C3%BC',
      '',
      'text',
      '--b1',
      'content-disposition: form-data; name="__proto__"',
      '',
      '',
      '--b1--',
      '',
    ].join('\r\n'),
  ),
]);
const multipart = 'multipart/form-data; boundary="b1"';
const parseBytes = (bytes: Buffer): JsonObject =>
  withParsedBody({ headers: { 'content-type': multipart }, bodyRaw: '', bodyBase64: bytes.toString('base64') });

test.each(['\r\n', 'This is a form.\r\n', 'no --b1 here\r\n --b1\r\n', '\n--b1\r\n\r\n'])(
  'what is before the first boundary of a multipart form is passed over: %j',
  (preamble) => {
    const { body } = parseBytes(Buffer.concat([Buffer.from(preamble), form]));
    expect(body).toEqual(parseBytes(form)['body']);
    expect(body).toMatchObject({ a: 'first\r\nline two \u20ac' });
  },
);

test('fields and files of a multipart form become an object, files with their bytes as base64', () => {
  const { body, bodyRaw, bodyBase64 } = parseBytes(form);
  expect(JSON.stringify(body)).toBe(
    JSON.stringify({
      a: 'first\r\nline two \u20ac',
      file: [
        { filename: 'f \u00fc.bin', contentType: 'image/png; x=y', content: file.toString('base64') },
        {
          filename: 'n\u00fc',
          contentType: 'application/octet-stream',
          content: Buffer.from('text').toString('base64'),
        },
      ],
      ['__proto__']: '',
    }),
  );
  expect([bodyRaw, bodyBase64]).toEqual([form.toString(), form.toString('base64')]);
});

test('a multipart form of text is parsed from text, without its bytes', () => {
  const text = ['--b1', 'Content-Disposition: form-data; name="a"', '', '\u00fc', '--b1--', ''].join('\r\n');
  expect(parseBody(multipart, text)).toEqual({ a: '\u00fc' });
});

const noField = '\r\na: b\r\n\r\n';
test.each([
  ['cut short', form.subarray(0, -20)],
  ['without a boundary', file],
  ['of more parts than a form may have', Buffer.from(`--b1${noField}${`\r\n--b1${noField}`.repeat(16_384)}\r\n--b1--`)],
])('a multipart form that is %s stays text', (_name, bytes) => {
  expect(parseBytes(bytes)['body']).toBe(bytes.toString());
});

test.each([
  ['almost-boundaries', '\r\n--b'],
  ['line ends', '\r\n\r\n'],
  ['parts', '\r\n--b1\r\ncontent-disposition: form-data; name="a"\r\n\r\n'],
])('a multipart form of nothing but %s, of the largest size, is parsed in bounded time', (_name, piece) => {
  const head = '--b1\r\ncontent-disposition: form-data; name="a"\r\n\r\n';
  const text = head + piece.repeat((sizes.endpointBodyBytes - 100) / piece.length) + '\r\n--b1--';
  let parsed: unknown;
  expect(processorMs(() => (parsed = parseBytes(Buffer.from(text))['body']))).toBeLessThan(30_000);
  expect(parsed).toHaveProperty('a');
});

test('bytes that are not UTF-8 stay beside the text that they decode to', () => {
  const { body, bodyRaw, bodyBase64 } = withParsedBody({ headers: {}, bodyRaw: '', bodyBase64: '/wA=' });
  expect([body, bodyRaw, bodyBase64]).toEqual(['\ufffd\0', '\ufffd\0', '/wA=']);
});

test('JSON that is nested too deep to be passed on stays text', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  expect(parseBody('application/json', nested(256))).toEqual(JSON.parse(nested(256)));
  for (const text of [nested(257), nested(100_000), `{"a":${nested(256)}}`]) {
    expect(parseBody('application/json', text)).toBe(text);
  }
});

test('a form that repeats one name up to the largest size is parsed in bounded time', () => {
  const count = sizes.endpointBodyBytes / 2;
  let parsed: unknown;
  const parse = (): unknown => (parsed = parseBody('application/x-www-form-urlencoded', 'a&'.repeat(count)));
  // It takes a second; quadratic work would take a quarter of an hour.
  expect(processorMs(parse)).toBeLessThan(30_000);
  expect((parsed as { a: string[] }).a).toHaveLength(count);
});
