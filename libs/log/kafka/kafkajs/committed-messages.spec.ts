import type { RawMessage } from './kafka-protocol.ts';
import { committedMessagesOf, offsetAfter } from './committed-messages.ts';

interface Told {
  readonly producer: string;
  readonly key?: Buffer;
  readonly control?: boolean;
  readonly transactional?: boolean;
}

const messageAt = (offset: number, { producer, key, control = false, transactional = true }: Told): RawMessage => ({
  offset: String(offset),
  timestamp: '0',
  key: key ?? Buffer.from('key'),
  value: Buffer.from('value'),
  headers: {},
  isControlRecord: control,
  batchContext: {
    firstOffset: String(offset),
    lastOffsetDelta: 0,
    producerId: producer,
    inTransaction: transactional,
  },
});
const markerKey = (type: 0 | 1): Buffer => Buffer.from([0, 0, 0, type]);
const data = (offset: number, producer: string): RawMessage => messageAt(offset, { producer });
const abort = (offset: number, producer: string): RawMessage =>
  messageAt(offset, { producer, key: markerKey(0), control: true });
const commit = (offset: number, producer: string): RawMessage =>
  messageAt(offset, { producer, key: markerKey(1), control: true });
const offsets = (messages: readonly RawMessage[]): readonly number[] => messages.map(({ offset }) => Number(offset));

test('records of committed transactions are kept, their markers are not', () => {
  expect(
    offsets(committedMessagesOf([data(0, 'a'), data(1, 'a'), commit(2, 'a'), data(3, 'a'), commit(4, 'a')], null)),
  ).toEqual([0, 1, 3]);
});

test('interleaved aborted transactions of two producers are both removed', () => {
  const messages = [data(0, 'a'), data(1, 'b'), data(2, 'b'), abort(3, 'b'), data(4, 'a'), abort(5, 'a'), data(6, 'b')];
  const aborted = [
    { producerId: 'b', firstOffset: '1' },
    { producerId: 'a', firstOffset: '0' },
  ];
  expect(offsets(committedMessagesOf([...messages, commit(7, 'b')], aborted))).toEqual([6]);
});

test('a producer that aborts twice in one fetch aborts both, and what it commits between them stays', () => {
  const messages = [data(0, 'a'), abort(1, 'a'), data(2, 'a'), commit(3, 'a'), data(4, 'a'), abort(5, 'a')];
  const aborted = [
    { producerId: 'a', firstOffset: '0' },
    { producerId: 'a', firstOffset: '4' },
  ];
  expect(offsets(committedMessagesOf(messages, aborted))).toEqual([2]);
});

test('a transaction that began before the fetched records is aborted in them', () => {
  const aborted = [{ producerId: 'a', firstOffset: '3' }];
  expect(
    offsets(committedMessagesOf([data(10, 'a'), data(11, 'b'), abort(12, 'a'), commit(13, 'b')], aborted)),
  ).toEqual([11]);
});

test('records sent without a transaction are never aborted', () => {
  const plain = messageAt(1, { producer: 'a', transactional: false });
  expect(
    offsets(committedMessagesOf([data(0, 'a'), plain, abort(2, 'a')], [{ producerId: 'a', firstOffset: '0' }])),
  ).toEqual([1]);
});

test('a data record whose key looks like an abort marker does not end an abort', () => {
  const messages = [data(0, 'a'), messageAt(1, { producer: 'a', key: Buffer.alloc(4) }), data(2, 'a'), abort(3, 'a')];
  expect(committedMessagesOf(messages, [{ producerId: 'a', firstOffset: '0' }])).toEqual([]);
});

test('reading continues after a batch whose last records were compacted away', () => {
  const { batchContext, ...message } = data(7, 'a');
  expect(offsetAfter(data(7, 'a'))).toBe(8);
  expect(offsetAfter({ ...message, batchContext: { ...batchContext, firstOffset: '5', lastOffsetDelta: 9 } })).toBe(15);
});
