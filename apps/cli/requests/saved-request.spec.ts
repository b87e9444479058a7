import { bodyRequest, httpRequest, problemOf } from './saved-request.ts';

test('a saved request is parsed as HTTP, and headers that sending sets anew are left out', () => {
  const text =
    'put /orders?test=1 HTTP/1.1\r\nHost: a.b\r\nX-Signature: a:b\r\nContent-Length: 99\r\n\r\n{"id":1}\r\n\r\nmore';
  const request = httpRequest(Buffer.from(text));
  expect(request).toMatchObject({ method: 'PUT', path: '/orders?test=1', headers: [['X-Signature', 'a:b']] });
  expect(request?.body?.toString()).toBe('{"id":1}\r\n\r\nmore');
});

test.each([
  ['GET /', '', undefined],
  ['GET https://a.b/c?d=1\n', '/c?d=1', undefined],
  ['GET https://a.b/c#d\n', '/c#d', undefined],
  ['POST ?x=1\n\nbody', '?x=1', 'body'],
])('the path of %j is %j', (text, path, body) => {
  const request = httpRequest(Buffer.from(text));
  expect([request?.path, request?.body?.toString()]).toEqual([path, body]);
});

test('text that is not a request is refused', () => {
  expect(httpRequest(Buffer.from('{"id":1}'))).toBeUndefined();
  expect(httpRequest(Buffer.from('POST /\nno header\n\nbody'))).toBeUndefined();
});

test.each([
  ['a.json', '{}', 'application/json'],
  ['-', '[1]', 'application/json'],
  ['-', 'text', 'application/octet-stream'],
  ['a.csv', 'a,b', 'text/csv; charset=utf-8'],
])('the body in %s with %j has the type %s', (file, text, type) => {
  expect(bodyRequest(Buffer.from(text), file)).toMatchObject({ method: 'POST', headers: [['content-type', type]] });
});

test.each([
  [{ method: 'GET', body: Buffer.from('{}') }, 'a GET request has no body'],
  [{ method: 'CONNECT' }, expect.stringContaining('CONNECT')],
  [{ headers: [['x y', '1']] as const }, expect.stringContaining('x y')],
  [{ body: Buffer.from('{}') }, undefined],
  [{ path: '/../../v1/sources' }, expect.stringContaining('segment . or ..')],
  [{ path: '/a/%2E%2e' }, expect.stringContaining('segment . or ..')],
  [{ path: String.raw`/a\.\b` }, expect.stringContaining('segment . or ..')],
  [{ path: '/.\t./b' }, expect.stringContaining('control character')],
  [{ path: '/.. ' }, expect.stringContaining('segment . or ..')],
  [{ path: '/a b?b=../c' }, undefined],
  [{ path: '/.well-known/...' }, undefined],
  [{ path: '/a#b' }, expect.stringContaining('%23')],
])('what HTTP does not allow is found before it is sent: %j', (parts, problem) => {
  expect(problemOf({ method: 'POST', path: '', headers: [], body: undefined, ...parts })).toEqual(problem);
});
