import { ApiError } from '../../../libs/client/index.ts';
import { isTransient, withRetries } from './retry.ts';

const refused = (status: number | null, code: string, cause?: unknown): ApiError =>
  new ApiError('x', { status, code }, cause);
const lost = refused(null, 'no_answer', Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));

const away = refused(null, 'no_answer', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
const unknown = refused(503, 'unknown_outcome');

/** Fails with each of these errors in turn, then succeeds. */
async function callsOf(...errors: readonly Error[]): Promise<number | unknown> {
  let calls = 0;
  const call = async (): Promise<number> => {
    const error = errors[calls++];
    if (error !== undefined) throw error;
    return calls;
  };
  return withRetries(call, 1).catch((error: unknown) => error);
}

test('a call is repeated while its outcome is unknown, and no more than a few times', async () => {
  expect(await callsOf()).toBe(1);
  expect(await callsOf(unknown, lost)).toBe(3);
  expect(await callsOf(unknown, lost, unknown, unknown)).toBe(unknown);
});

test('a call that got lost is repeated until the service has started again, for a while', async () => {
  expect(await callsOf(lost, away, away, away, away, unknown)).toBe(7);
  expect(await callsOf(lost, ...Array.from({ length: 20 }, () => away))).toBe(away);
});

test.each([refused(400, 'props_invalid'), away, new Error('x')])(
  'a call whose outcome is certain is not repeated: %p',
  async (error) => {
    expect(await callsOf(error)).toBe(error);
  },
);

test('temporary problems are distinguished from permanent ones', () => {
  const passing = [
    refused(null, 'no_answer'),
    refused(409, 'busy'),
    refused(429, 'too_many_requests'),
    refused(500, 'x'),
  ];
  expect(passing.map(isTransient)).toEqual([true, true, true, true]);
  const lasting = [
    refused(400, 'x'),
    refused(401, 'x'),
    refused(404, 'x'),
    refused(409, 'idempotency_conflict'),
    new Error('x'),
  ];
  expect(lasting.map(isTransient)).toEqual([false, false, false, false, false]);
});
