import type { OutboundRecord } from './outbound-record.ts';
import { splitIntoSends } from './batches.ts';

const row = (topic: string, partition: number, bytes: number): OutboundRecord => ({
  topic,
  partition,
  key: 'key',
  value: '{}',
  headers: {},
  timestamp: '0',
  bytes,
});
const indexes = (rows: readonly OutboundRecord[]): readonly (readonly number[])[] =>
  splitIntoSends(rows, 100).map((send) => send.map(({ index }) => index));

test('rows that fit into one batch per partition go out in one send', () => {
  expect(indexes([row('a', 0, 60), row('a', 1, 60), row('b', 0, 60)])).toEqual([[0, 1, 2]]);
});

test('a partition that has more continues in the next send, in order', () => {
  expect(indexes([row('a', 0, 60), row('a', 0, 60), row('b', 0, 10), row('a', 0, 30)])).toEqual([
    [0, 2],
    [1, 3],
  ]);
});

test('a record above the bound gets a batch of its own', () => {
  expect(indexes([row('a', 0, 10), row('a', 0, 200), row('a', 0, 10)])).toEqual([[0], [1], [2]]);
});

test('without records nothing is sent', () => {
  expect(splitIntoSends([])).toEqual([]);
});
