import { runningReplaysMax } from '../../../domain/delivery/replay/replay.ts';
import { inFlightBounds } from '../../../domain/listener/webhook/settings.ts';
import { sizes } from '../../../domain/sizes.ts';
import { traceparentOf } from '../../../domain/trace/traceparent.ts';
import { EventBuffer } from '../events/buffer.ts';
import { newCursor } from '../subscriptions/cursor-of.ts';
import { defaultLimits } from '../delivery-limits.ts';
import { subscriptionTo } from '../subscriptions/subscription-target.fake.ts';
import { requestOf, sign } from '../targets/request.ts';
import { recordsOf } from './attempt-records.ts';
import type { Attempt, AttemptEnding } from './attempt-records.ts';

const subscription = subscriptionTo({ ordered: false });
const event = {
  offset: 1,
  emitterId: 'dc_1',
  eventId: '1-0',
  channel: '',
  workspace: 'o_1',
  correlationId: 'req_1',
  recordId: 'rec_1',
  body: '{}',
  hops: 0,
  budget: 'tail' as const,
  holders: 0,
};
const cursor = newCursor(subscription, 'dc_1', { next: 1, buffer: new EventBuffer() });
const attempt: Attempt = {
  cursor,
  event,
  number: 1,
  messageId: 'msg_1',
  startedAt: 1,
  keys: [],
  generation: 0,
  sent: { headers: {}, fixed: {} },
};

const answered = (answer: string): AttemptEnding => ({
  outcome: { kind: 'answered', status: 200, answer, headers: {}, durationMs: 1, trace: {} },
  verdict: { kind: 'delivered' },
  endedAt: 2,
  nextAttemptAt: null,
});
const answerOf = (answer: string): unknown => recordsOf(attempt, answered(answer), 0).records[0]?.data;

test.each([
  ['text', 'x'.repeat(sizes.answerStoredBytes)],
  ['bytes that are not text', '\uFFFD'.repeat(sizes.answerStoredBytes)],
])('keeps an answer of %s whole', (_, answer) => {
  expect(answerOf(answer)).toMatchObject({ answer });
});

const failed = (answer: string, headers: Record<string, string>): AttemptEnding => ({
  outcome: { kind: 'answered', status: 500, answer, headers, durationMs: 1, trace: { address: '192.0.2.1:443' } },
  verdict: { kind: 'retry', waitMs: 5 },
  endedAt: 2,
  nextAttemptAt: 7,
});

test('an answer that is cut for its size ends with a whole character', () => {
  const headers = { long: 'x'.repeat(12_000) };
  for (const before of ['', 'a', 'ab', 'abc']) {
    const [record] = recordsOf(attempt, failed(before + '😀'.repeat(12_000), headers), 0).records;
    const answer = record?.type === 'DeliveryAttempted' ? (record.data.answer ?? '') : '';
    const bytes = Buffer.byteLength(answer) + Buffer.byteLength(JSON.stringify({ long: headers.long }));
    expect(3 * sizes.answerStoredBytes - bytes).toBeGreaterThanOrEqual(0);
    expect(3 * sizes.answerStoredBytes - bytes).toBeLessThan('😀'.length * 2);
    expect(answer.isWellFormed()).toBe(true);
  }
});

test('a failed attempt keeps the headers of both sides, the owner’s masked; a successful one keeps only the trace', () => {
  const headers = { 'webhook-id': 'msg_1', 'x-token': 't0k3n' };
  const sent = { ...attempt, sent: { headers, fixed: { 'x-token': 't0k3n' } } };
  expect(recordsOf(sent, failed('no', { server: 's' }), 0).records[0]?.data).toMatchObject({
    trace: { address: '192.0.2.1:443' },
    requestHeaders: { 'webhook-id': 'msg_1', 'x-token': '[secret]' },
    answerHeaders: { server: 's' },
  });
  const delivered = recordsOf(sent, answered('ok'), 0).records[0]?.data;
  expect(delivered).not.toHaveProperty('requestHeaders');
  expect(delivered).not.toHaveProperty('answerHeaders');
});

test('whatever is sent and answered, all attempts in flight to a webhook and its replays fit into one append', () => {
  const inFlight = inFlightBounds.max + defaultLimits.retriesPerWebhookMax;
  const long = '\u0001'.repeat(sizes.answerStoredBytes);
  const headers = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`x-${i}`, '"'.repeat(4_096)]));
  const sent = { ...attempt, sent: { headers, fixed: {} } };
  const ends = [answered(long), failed(long, headers)];
  for (const cursors of [
    [inFlight],
    [inFlight, ...Array<number>(runningReplaysMax).fill(defaultLimits.replaysPerWebhookMax)],
  ]) {
    let bytes = 0;
    for (const attempts of cursors) {
      let waiting = 0;
      for (let n = 0; n < attempts; n++) {
        const recorded = recordsOf(sent, ends[n % ends.length] ?? answered(long), waiting);
        expect(recorded.bytes).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(recorded.records)));
        waiting += recorded.bytes;
      }
      bytes += waiting;
    }
    expect(bytes).toBeLessThan(sizes.appendBytes - sizes.recordBytes);
  }
});

test.each([
  ['text', 'x', 1_024],
  ['characters of three bytes', '€', 341],
  ['characters of two units', '😀', 512],
  ['quotes', '"', 512],
])(
  'of an answer of %s as much is kept as fits into 1 KiB, where others have taken the room',
  (_, character, length) => {
    const ending = failed(character.repeat(2_000), {});
    const data = recordsOf(attempt, ending, sizes.attemptsDetailBytes).records[0]?.data;
    expect((data as { answer: string }).answer).toHaveLength(length);
  },
);

test('keeps answers and headers of attempts while there is room, and their outcome always', () => {
  const sent = { ...attempt, sent: { headers: { a: 'b' }, fixed: {} } };
  const { records } = recordsOf(sent, failed('x'.repeat(5_000), { server: 's' }), sizes.attemptsDetailBytes);
  const data = records[0]?.data as unknown as Record<string, unknown>;
  expect(data).toMatchObject({ status: 500, attempt: 1, answer: expect.stringMatching(/^x{500,1024}$/) as string });
  expect(data).not.toHaveProperty('requestHeaders');
  expect(data).not.toHaveProperty('answerHeaders');
});

describe('the trace context of a request', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traced = { ...event, correlationId: `req_1/00-${traceId}-00f067aa0ba902b7-01` };
  const headersOf = (number: number, replayId?: string, headers = {}): Record<string, string> =>
    requestOf({ ...subscription.webhook, headers }, traced, sign(traced, subscription, [], 1_000), { number, replayId })
      .headers;

  test('is that of the record of its attempt, within the trace of the event', () => {
    const { messageId } = sign(traced, subscription, [], 1_000);
    const { records } = recordsOf({ ...attempt, event: traced, messageId, number: 2 }, answered(''), 0);
    const [record] = records;
    if (record === undefined) throw new Error('an attempt has a record');
    expect(headersOf(2)['traceparent']).toBe(traceparentOf(record));
    expect(headersOf(2)['traceparent']).toContain(traceId);
  });

  test('has its own span for each attempt and each replay', () => {
    const all = [headersOf(1), headersOf(2), headersOf(1, 'rpl_1')].map(({ traceparent }) => traceparent);
    expect(new Set(all).size).toBe(3);
  });

  test('gives way to a fixed header of the same name', () => {
    expect(headersOf(1, undefined, { traceparent: 'mine' })['traceparent']).toBe('mine');
  });
});

test("what a receiver repeats of the owner's headers is on no record, whether it took the event or not", () => {
  const fixed = { 'x-key': 'k3y-of-the-owner' };
  const echoed: Attempt = { ...attempt, sent: { headers: fixed, fixed } };
  for (const ending of [
    answered('got k3y-of-the-owner'),
    failed('got k3y-of-the-owner', { 'x-back': 'k3y-of-the-owner' }),
  ]) {
    const { records } = recordsOf(echoed, ending, 0);
    expect(records[0]?.data).toMatchObject({ answer: 'got [secret]' });
    expect(JSON.stringify(records)).not.toContain('k3y');
  }
});
