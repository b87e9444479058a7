import {
  answerOf,
  answerRequest,
  earlierThan,
  forgetRequests,
  inOrder,
  keepRequest,
  keepStanding,
} from './kept-requests.ts';
import { noRequests, restoreRequest } from './kept-requests.ts';

const dayMs = 24 * 60 * 60 * 1000;
const request = { fingerprint: 'f', requestKey: 'wh_key' };
const asked = (id: string, at: number, change: object = {}) => ({
  workspace: 'o_1',
  id,
  at,
  request: { ...request, ...change },
});
const refusal = { reason: 'hook_failed', message: 'no' } as const;

test('a key gives what it created until 24 hours after the answer, and is then free again', () => {
  const requests = noRequests();
  keepRequest(requests, asked('wh_1', 0));
  expect(earlierThan(requests, asked('wh_2', dayMs - 1))).toMatchObject({ id: 'wh_1' });
  expect(earlierThan(requests, asked('wh_2', dayMs))).toBeUndefined();
  answerRequest(requests, 'wh_key', 'wh_1', { answeredAt: 1_000 });
  expect(earlierThan(requests, asked('wh_2', dayMs))).toMatchObject({ id: 'wh_1' });
  expect(forgetRequests(requests, dayMs)).toEqual([]);
  expect([forgetRequests(requests, dayMs + 1_000), requests.size]).toEqual([[], 0]);
});

test.each([
  ['for another request', asked('wh_2', 1, { fingerprint: 'other' })],
  ['from another workspace', { ...asked('wh_2', 1), workspace: 'o_2' }],
])('an Idempotency-Key used again %s is a conflict', (_how, again) => {
  const requests = noRequests();
  keepRequest(requests, asked('wh_1', 0));
  expect(earlierThan(requests, again)).toBe('conflict');
});

test('a key of something deleted is a conflict, a refused deploy is refused again, and both are forgotten', () => {
  const requests = noRequests();
  keepRequest(requests, asked('wh_1', 0));
  answerRequest(requests, 'wh_key', 'wh_1', { gone: true });
  expect(earlierThan(requests, asked('wh_2', 1))).toBe('conflict');
  answerRequest(requests, 'wh_key', 'wh_1', { refusal });
  expect(earlierThan(requests, asked('wh_2', 1))).toMatchObject({ id: 'wh_1', refusal });
  expect(forgetRequests(requests, dayMs)).toEqual(['wh_key']);
});

test('a key that found the result of another request is kept with it, and forgotten with a tombstone', () => {
  const requests = noRequests();
  keepStanding(requests, asked('sc_1', 0));
  expect(earlierThan(requests, asked('sc_1', 1))).toMatchObject({ id: 'sc_1', gone: false });
  expect(answerOf(requests, 'wh_key')).toMatchObject({ data: { id: 'sc_1', refusal: null, stands: true } });
  keepStanding(requests, asked('sc_1', 0, { fingerprint: null }));
  expect(requests.size).toBe(1);
  expect([forgetRequests(requests, dayMs), requests.size]).toEqual([['wh_key'], 0]);
});

test('a request without a key is not kept, and in records of earlier programs the id is the key', () => {
  const requests = noRequests();
  expect(keepRequest(requests, asked('wh_1', 0, { fingerprint: null }))).toBeNull();
  keepRequest(requests, asked('wh_key', 0, { requestKey: undefined }));
  expect(earlierThan(requests, asked('wh_2', 1))).toMatchObject({ id: 'wh_key' });
});

test('a late outcome of the first use of a key does not change its second use', () => {
  const requests = noRequests();
  keepRequest(requests, asked('wh_1', 0));
  keepRequest(requests, asked('wh_2', dayMs));
  answerRequest(requests, 'wh_key', 'wh_1', { gone: true });
  expect(earlierThan(requests, asked('wh_3', dayMs))).toMatchObject({ id: 'wh_2', gone: false });
});

test('restored in any order, the newest use of a key counts, and the oldest answers are forgotten first', () => {
  const kept = (id: string, answeredAt: number) => ({
    workspace: 'o_1',
    id,
    fingerprint: 'f',
    answeredAt,
    gone: true,
    refusal: null,
  });
  const requests = noRequests();
  restoreRequest(requests, 'b', kept('wh_new', 5));
  restoreRequest(requests, 'b', kept('wh_old', 1));
  restoreRequest(requests, 'a', kept('wh_a', 2));
  inOrder(requests);
  expect([...requests.values()].map(({ id }) => id)).toEqual(['wh_a', 'wh_new']);
});
