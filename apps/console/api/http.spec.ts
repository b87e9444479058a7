// Any answer becomes a problem with a message, even one that breaks off, and a proxy's own page.
import { afterEach, expect, jest, test } from '@jest/globals';
import { get, getPage, keepCsrfToken, post } from './http.ts';

afterEach(() => {
  keepCsrfToken(undefined);
  jest.restoreAllMocks();
});

const answers = (make: () => Response): void =>
  void jest.spyOn(globalThis, 'fetch').mockImplementation(async () => make());

const brokenOff = (): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"data":'));
        controller.error(new Error('The connection is gone'));
      },
    }),
  );

test.each([
  ['breaks off', brokenOff],
  ['is the page of a proxy', () => new Response('<html>Sign in</html>')],
])('an answer that %s is a problem, not an empty answer', async (_what, make) => {
  answers(make);
  await expect(get('/v1/sources')).rejects.toMatchObject({ name: 'Problem', code: 'no_answer' });
});

test('an answer without a body is none, and a refusal in other words tells its status', async () => {
  answers(() => new Response(null, { status: 202 }));
  await expect(get('/v1/sources')).resolves.toBeUndefined();
  answers(() => new Response('<html>', { status: 502 }));
  await expect(get('/v1/sources')).rejects.toMatchObject({
    status: 502,
    message: 'The service answered with status 502.',
  });
});

test('what changes something has the token of the session, also where it is only read', async () => {
  const tokens: (string | null)[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    tokens.push(new Headers(init?.headers).get('x-csrf-token'));
    return new Response(null, { status: 202 });
  });
  keepCsrfToken('t');
  await post('/v1/sources');
  await get('/v1/components/registry/acme-new', { writes: true });
  await get('/v1/sources');
  expect(tokens).toEqual(['t', 't', null]);
});

test('what is sent again after no answer has its Idempotency-Key again, and a sign-in has none', async () => {
  const keys: (string | null)[] = [];
  const fetched = jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    if (keys.length === 1) throw new TypeError('Failed to fetch');
    return new Response(null, { status: 202 });
  });
  const message = expect.stringContaining('may have been done all the same');
  await expect(post('/v1/sources', { name: 'a' })).rejects.toMatchObject({ code: 'no_answer', message });
  await post('/v1/sources', { name: 'a' });
  await post('/session', { api_key: 'k' });
  expect(fetched).toHaveBeenCalledTimes(3);
  expect(keys).toEqual([expect.any(String), keys[0], null]);
});

test('a session that is newer than the token is asked once more, with its own', async () => {
  const tokens: (string | null)[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    if (url === '/session') return Response.json({ data: { csrf_token: 'new' } });
    const token = new Headers(init?.headers).get('x-csrf-token');
    tokens.push(token);
    return Response.json({}, { status: token === 'new' ? 200 : 403 });
  });
  keepCsrfToken('old');
  await get('/v1/components/registry/acme-new', { writes: true });
  expect(tokens).toEqual(['old', 'new']);
});

test.each(['{}', 'null', '[]', '{"data":{},"page_info":{}}', '{"data":[],"page_info":null}'])(
  'what is no page of a list is refused: %s',
  async (body) => {
    jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(body));
    await expect(getPage('/v1/sources', {})).rejects.toMatchObject({ name: 'Problem', code: 'no_answer' });
  },
);

test('a page of a list is given as it came', async () => {
  const page = { data: [], page_info: { total_count: 0, count: 0 } };
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(JSON.stringify(page)));
  expect(await getPage('/v1/sources', {})).toEqual(page);
});
