import {
  answerEventOf,
  updateRequest,
  findEarlierRequest,
  removeExpiredRequests,
  sortRequests,
  recordRequest,
  recordForExisting,
} from './recorded-requests.ts';
import { noRequests, restoreRequest } from './recorded-requests.ts';

const dayMs = 24 * 60 * 60 * 1000;
const request = { fingerprint: 'f', requestKey: 'wh_key' };
const contextOf = (id: string, at: number, change: object = {}) => ({
  workspace: 'o_1',
  id,
  at,
  request: { ...request, ...change },
});
const refusal = { reason: 'hook_failed', message: 'no' } as const;

test('a key gives what it created until 24 hours after the answer, and is then free again', () => {
  const requests = noRequests();
  recordRequest(requests, contextOf('wh_1', 0));
  expect(findEarlierRequest(requests, contextOf('wh_2', dayMs - 1))).toMatchObject({ id: 'wh_1' });
  expect(findEarlierRequest(requests, contextOf('wh_2', dayMs))).toBeUndefined();
  updateRequest(requests, 'wh_key', 'wh_1', { answeredAt: 1_000 });
  expect(findEarlierRequest(requests, contextOf('wh_2', dayMs))).toMatchObject({ id: 'wh_1' });
  expect(removeExpiredRequests(requests, dayMs)).toEqual([]);
  expect([removeExpiredRequests(requests, dayMs + 1_000), requests.size]).toEqual([[], 0]);
});

test.each([
  ['for another request', contextOf('wh_2', 1, { fingerprint: 'other' })],
  ['from another workspace', { ...contextOf('wh_2', 1), workspace: 'o_2' }],
])('an Idempotency-Key used again %s is a conflict', (_how, again) => {
  const requests = noRequests();
  recordRequest(requests, contextOf('wh_1', 0));
  expect(findEarlierRequest(requests, again)).toBe('conflict');
});

test('a key of something deleted is a conflict, a refused deploy is refused again, and both are forgotten', () => {
  const requests = noRequests();
  recordRequest(requests, contextOf('wh_1', 0));
  updateRequest(requests, 'wh_key', 'wh_1', { gone: true });
  expect(findEarlierRequest(requests, contextOf('wh_2', 1))).toBe('conflict');
  updateRequest(requests, 'wh_key', 'wh_1', { refusal });
  expect(findEarlierRequest(requests, contextOf('wh_2', 1))).toMatchObject({ id: 'wh_1', refusal });
  expect(removeExpiredRequests(requests, dayMs)).toEqual(['wh_key']);
});

test('a key that found the result of another request is kept with it, and forgotten with a tombstone', () => {
  const requests = noRequests();
  recordForExisting(requests, contextOf('sc_1', 0));
  expect(findEarlierRequest(requests, contextOf('sc_1', 1))).toMatchObject({ id: 'sc_1', gone: false });
  expect(answerEventOf(requests, 'wh_key')).toMatchObject({ data: { id: 'sc_1', refusal: null, stands: true } });
  recordForExisting(requests, contextOf('sc_1', 0, { fingerprint: null }));
  expect(requests.size).toBe(1);
  expect([removeExpiredRequests(requests, dayMs), requests.size]).toEqual([['wh_key'], 0]);
});

test('a request without a key is not kept, and in records of earlier programs the id is the key', () => {
  const requests = noRequests();
  expect(recordRequest(requests, contextOf('wh_1', 0, { fingerprint: null }))).toBeNull();
  recordRequest(requests, contextOf('wh_key', 0, { requestKey: undefined }));
  expect(findEarlierRequest(requests, contextOf('wh_2', 1))).toMatchObject({ id: 'wh_key' });
});

test('a late outcome of the first use of a key does not change its second use', () => {
  const requests = noRequests();
  recordRequest(requests, contextOf('wh_1', 0));
  recordRequest(requests, contextOf('wh_2', dayMs));
  updateRequest(requests, 'wh_key', 'wh_1', { gone: true });
  expect(findEarlierRequest(requests, contextOf('wh_3', dayMs))).toMatchObject({ id: 'wh_2', gone: false });
});

test('restored in any order, the newest use of a key counts, and the oldest answers are forgotten first', () => {
  const recordedRequest = (id: string, answeredAt: number) => ({
    workspace: 'o_1',
    id,
    fingerprint: 'f',
    answeredAt,
    gone: true,
    refusal: null,
  });
  const requests = noRequests();
  restoreRequest(requests, 'b', recordedRequest('wh_new', 5));
  restoreRequest(requests, 'b', recordedRequest('wh_old', 1));
  restoreRequest(requests, 'a', recordedRequest('wh_a', 2));
  sortRequests(requests);
  expect([...requests.values()].map(({ id }) => id)).toEqual(['wh_a', 'wh_new']);
});
