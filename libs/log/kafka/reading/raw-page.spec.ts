import { bytesOf } from '../encoding/cloud-event.ts';
import type { RawMessage } from '../kafkajs/kafka-protocol.ts';
import { cutPage } from './raw-page.ts';

const messageAt = (offset: number): RawMessage => ({
  offset: String(offset),
  timestamp: '0',
  key: Buffer.from('key'),
  value: Buffer.alloc(97),
  headers: {},
  isControlRecord: false,
  batchContext: { firstOffset: String(offset), lastOffsetDelta: 0, producerId: '1', inTransaction: false },
});
const messages = [10, 12, 14, 16].map(messageAt);
const wide = { recordsMax: 100, bytesMax: 1_000_000 };
const cutAt = (bounds: Parameters<typeof cutPage>[2]): { offsets: readonly number[]; next: number; left: number } => {
  const page = cutPage(messages, 20, bounds);
  return { offsets: page.messages.map(({ offset }) => Number(offset)), next: page.next, left: page.remainder.length };
};

test('when everything fits, reading continues where the fetch ended', () => {
  expect(cutAt(wide)).toEqual({ offsets: [10, 12, 14, 16], next: 20, left: 0 });
});

test.each([
  ['records', { ...wide, recordsMax: 2 }],
  ['bytes', { ...wide, bytesMax: 250 }],
])('a page is cut at the bound of %s, and reading continues there', (_, bounds) => {
  expect(cutAt(bounds)).toEqual({ offsets: [10, 12], next: 14, left: 2 });
});

test('one record is always given, whatever its size', () => {
  expect(cutAt({ ...wide, bytesMax: 1 })).toEqual({ offsets: [10], next: 12, left: 3 });
});

test('the end offset is exclusive, and reading never continues above it', () => {
  expect(cutAt({ ...wide, to: 14 })).toEqual({ offsets: [10, 12], next: 14, left: 2 });
  expect(cutAt({ ...wide, to: 18 })).toEqual({ offsets: [10, 12, 14, 16], next: 18, left: 0 });
});

test('headers count among the bytes of a record', () => {
  expect(bytesOf({ ...messageAt(1), headers: { ce_id: Buffer.from('rec_1') } })).toBe(110);
});
