// Whatever answers, a page has words for it: also an answer that breaks off, and a proxy's own page.
import { afterEach, expect, jest, test } from '@jest/globals';
import { get } from './http.ts';

afterEach(() => void jest.restoreAllMocks());

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
