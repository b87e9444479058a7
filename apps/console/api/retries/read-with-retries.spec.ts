// Reads that the service is too busy for are repeated a moment later; changes are sent only once.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { get, post, put, remove } from '../http.ts';

interface Answer {
  readonly status: number;
  readonly retryAfter?: string;
}

/** Returned in turn; afterwards every request is answered 200. */
let answers: Answer[] = [];
let requestCount = 0;

beforeEach(() => {
  jest.useFakeTimers();
  requestCount = 0;
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    requestCount += 1;
    const { status, retryAfter } = answers.shift() ?? { status: 200 };
    const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter });
    return Response.json({}, { status, headers });
  });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const after = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
const thrownBy = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

test.each([429, 503])('a list that is answered %d is asked for again after its Retry-After', async (status) => {
  answers = [{ status, retryAfter: '2' }];
  const list = get('/v1/sources');
  await after(1_999);
  expect(requestCount).toBe(1);
  await after(501);
  expect(requestCount).toBe(2);
  await expect(list).resolves.toEqual({});
});

test('a list that is refused again and again is asked for four times at most', async () => {
  answers = Array.from({ length: 10 }, () => ({ status: 429 }));
  const refused = thrownBy(get('/v1/sources'));
  await after(10_000);
  expect(await refused).toMatchObject({ status: 429 });
  expect(requestCount).toBe(4);
});

test.each([
  ['asks for more than a few seconds', { status: 503, retryAfter: '30' }],
  ['is 503 without Retry-After', { status: 503 }],
  ['is no refusal for the moment', { status: 500, retryAfter: '0' }],
])('an answer that %s is final', async (_what, answer) => {
  answers = [answer];
  await expect(get('/v1/sources')).rejects.toMatchObject({ status: answer.status });
  expect(requestCount).toBe(1);
});

test('a page that is left asks no more', async () => {
  answers = [{ status: 429 }];
  const abort = new AbortController();
  const aborted = thrownBy(get('/v1/sources', { signal: abort.signal }));
  await after(500);
  abort.abort();
  expect(await aborted).toMatchObject({ name: 'AbortError' });
  await after(10_000);
  expect(requestCount).toBe(1);
});

test('what changes something is sent once', async () => {
  for (const change of [
    () => post('/v1/sources'),
    () => put('/v1/sources/dc_1', {}),
    () => remove('/v1/sources/dc_1'),
  ]) {
    requestCount = 0;
    answers = [{ status: 429, retryAfter: '0' }];
    await expect(change()).rejects.toMatchObject({ status: 429 });
    expect(requestCount).toBe(1);
  }
});
