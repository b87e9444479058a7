import { dataOf } from './data-url.ts';

test.each([
  ['data:text/csv;base64,YSxi', 'text/csv', 'a,b'],
  ['data:,a%20b', 'text/plain;charset=US-ASCII', 'a b'],
  ['data:;charset=utf-8,%C3%A9', 'text/plain;charset=utf-8', 'é'],
  ['DATA:text/html;charset=utf-8,<p>,</p>', 'text/html;charset=utf-8', '<p>,</p>'],
])('%s holds %s', (url, contentType, text) => {
  const data = dataOf(url);
  expect(data?.contentType).toBe(contentType);
  expect(data?.bytes.toString()).toBe(text);
});

test('other URLs are not data URLs', () => {
  expect(dataOf('/tmp/data:a,b')).toBeUndefined();
});
