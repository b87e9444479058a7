import { decodeResponse } from './last-transaction.ts';

/** As a broker answers: no tags, no throttling, one id with its error, state, times and producer; the rest is not read. */
const answer = (error: number, state: string, id = 'runtime-3'): Buffer => {
  const code = Buffer.alloc(2);
  code.writeInt16BE(error);
  const text = (value: string): Buffer => Buffer.concat([Buffer.of(value.length + 1), Buffer.from(value)]);
  const producer = Buffer.alloc(10);
  producer.writeBigInt64BE(4_001n);
  producer.writeInt16BE(12, 8);
  const times = Buffer.alloc(12, 1);
  return Buffer.concat([Buffer.of(0, 0, 0, 0, 0, 2), code, text(id), text(state), times, producer, Buffer.alloc(2)]);
};

test.each([
  ['CompleteCommit', 'committed'],
  ['CompleteAbort', 'aborted'],
  ['PrepareCommit', 'committed'],
  ['PrepareAbort', 'aborted'],
  ['PrepareEpochFence', 'aborted'],
  ['Ongoing', 'open'],
  ['Empty', 'none'],
])('%s: %s', (state, outcome) => {
  expect(decodeResponse(answer(0, state))).toEqual({ outcome, producerId: '4001', producerEpoch: 12 });
});

test('a transactional id unknown to the coordinator has no outcome', () => {
  expect(decodeResponse(answer(105, ''))).toMatchObject({ outcome: 'none', producerId: '-1' });
});

test("a broker's refusal throws the error that kafkajs would, retriable or not", () => {
  expect(() => decodeResponse(answer(16, ''))).toThrow(expect.objectContaining({ retriable: true }));
  expect(() => decodeResponse(answer(53, ''))).toThrow(
    expect.objectContaining({ type: 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED', retriable: false }),
  );
});

test('an answer of unknown form is an error', () => {
  expect(() => decodeResponse(Buffer.of(1, 0, 0, 0, 0, 2))).toThrow('unknown form');
});
