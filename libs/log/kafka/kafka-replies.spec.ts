import { jest } from '@jest/globals';
import type { Reply } from '../log.ts';
import type { RawMessage } from './kafkajs/kafka-protocol.ts';
import { KafkaReplies } from './kafka-replies.ts';
import type { ReplySender } from './producing/reply-sender.ts';
import type { Fetched, Fetcher, FetchPosition } from './reading/fetcher.ts';
import { PollerPool } from './reading/poller-pool.ts';

const reply: Reply = { type: 'RunEnded', correlationId: 'req_a', failed: false };
const message: RawMessage = {
  offset: '3',
  timestamp: '0',
  key: Buffer.from('gw_1'),
  value: Buffer.from(JSON.stringify(reply)),
  headers: {},
  isControlRecord: false,
  batchContext: { firstOffset: '3', lastOffsetDelta: 0, producerId: '1', inTransaction: false },
};
const topicPartition = { topic: 'replies', partition: 0, stableEnd: 4 };

/** A topic that ends at 4, its last record being the reply. */
const shortened = {
  fetchEach: async (
    [wanted]: readonly FetchPosition[],
    _: unknown,
    onAnswers: (answers: readonly Fetched[]) => void,
  ) => {
    const offset = wanted?.offset ?? 0;
    const messages = offset <= 3 ? [message] : [];
    onAnswers([{ ...topicPartition, messages, next: Math.max(offset, 4), isBeyondEnd: offset > 4 }]);
    if (offset === 4) await new Promise((resolve) => setTimeout(resolve, 20));
  },
  close: () => {},
} as unknown as Fetcher;

test('replies are received again after a broker has lost the end of the replies topic', async () => {
  const received = await new Promise<Reply>((resolve) => {
    const replies = new KafkaReplies({
      topic: 'replies',
      from: 1_000,
      end: async () => 3,
      sender: {} as ReplySender,
      pollers: new PollerPool(() => shortened),
    });
    replies.on('gw_1', (one) => {
      replies.close();
      resolve(one);
    });
  });
  expect(received).toEqual(reply);
});

test('a reply for another process is not parsed', async () => {
  const parse = jest.spyOn(JSON, 'parse');
  const others = { ...message, key: Buffer.from('gw_2'), value: Buffer.from(JSON.stringify({ ...reply, big: 'x' })) };
  const fetched = {
    ...shortened,
    fetchEach: async (_: unknown, __: unknown, onAnswers: (answers: readonly Fetched[]) => void) => {
      onAnswers([{ ...topicPartition, messages: [others, message], next: 4, isBeyondEnd: false }]);
    },
  } as unknown as Fetcher;
  await new Promise<void>((resolve) => {
    const replies = new KafkaReplies({
      topic: 'replies',
      from: 3,
      end: async () => 3,
      sender: {} as ReplySender,
      pollers: new PollerPool(() => fetched),
    });
    replies.on('gw_1', () => {
      replies.close();
      resolve();
    });
  });
  const parsed = parse.mock.calls.map(([text]) => text);
  parse.mockRestore();
  expect(parsed).toContain(message.value?.toString());
  expect(parsed).not.toContain(others.value.toString());
});
