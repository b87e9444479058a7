import fc from 'fast-check';
import type { LogRecord } from '../../../domain/message.ts';
import { originOf } from '../../../domain/trace/chain.ts';
import { traceparentOf } from '../../../domain/trace/traceparent.ts';
import { encode } from '../../appending/encoding.ts';
import type { RawMessage } from '../kafkajs/kafka-protocol.ts';
import { outboundOf, recordOf } from './cloud-event.ts';
import type { OutboundRecord } from '../kafkajs/producer/outbound-record.ts';

const record: LogRecord = {
  id: 'rec_1',
  type: 'EventEmitted',
  version: 2,
  key: 'dc_1',
  data: { text: 'ä € 😀 \u0000 "', list: [1, null] },
  at: 1_700_000_000_123,
  workspace: 'o_1',
  correlationId: 'req_1/key_1',
  causationId: 'cmd_1',
};

function sent(one: LogRecord, tag?: { generation: number; batch: number }): OutboundRecord {
  const [row] = encode([{ topic: 'channels', partition: 3, record: one }]);
  if (row === undefined) throw new Error('one record is one row');
  return outboundOf(row, 'prefix.channels', tag);
}

function received({ key, value, headers, timestamp }: OutboundRecord): RawMessage {
  return {
    offset: '42',
    timestamp,
    key: Buffer.from(key),
    value: value === null ? null : Buffer.from(value),
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)])),
    isControlRecord: false,
    batchContext: { firstOffset: '42', lastOffsetDelta: 0, producerId: '1', inTransaction: true },
  };
}

test('a record is a CloudEvent in binary mode: its data alone is the value', () => {
  expect(sent(record, { generation: 7, batch: 9 })).toMatchObject({
    topic: 'prefix.channels',
    partition: 3,
    key: 'dc_1',
    value: JSON.stringify(record.data),
    timestamp: '1700000000123',
    headers: {
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: 'rec_1',
      ce_type: 'EventEmitted',
      ce_source: '/wellspring/channels',
      ce_time: '2023-11-14T22:13:20.123Z',
      ce_version: '2',
      ce_workspace: 'o_1',
      ce_correlationid: 'req_1/key_1',
      ce_causationid: 'cmd_1',
      ce_traceparent: traceparentOf(record),
      ce_actor: 'key_1',
      ce_append: '7/9',
    },
  });
});

test('empty attributes are left out, as CloudEvents requires, and read back empty', () => {
  const bare = { ...record, workspace: '', causationId: '' };
  const message = sent(bare);
  expect(Object.keys(message.headers)).not.toContain('ce_workspace');
  const stored = { ...bare, ...originOf(bare), topic: 'channels', partition: 3, offset: 42 };
  expect(recordOf(received(message), 'channels', 3)).toEqual(stored);
});

test('any record is read back unchanged', () => {
  const text = fc.string({ unit: 'grapheme' });
  const anyRecord = fc.record({
    id: text,
    type: text,
    version: fc.nat(),
    key: text,
    data: fc.jsonValue(),
    at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    workspace: text,
    correlationId: text,
    causationId: text,
  });
  fc.assert(
    fc.property(anyRecord, (any) => {
      const data: unknown = JSON.parse(JSON.stringify(any.data));
      const stored = { ...any, data, ...originOf(any), topic: 'channels', partition: 3, offset: 42 };
      expect(recordOf(received(sent(any)), 'channels', 3)).toEqual(stored);
    }),
  );
});

test('the estimated size of a message is above its size on the wire', () => {
  const { key, value, headers, bytes } = sent({ ...record, data: 'x'.repeat(10_000) }, { generation: 1, batch: 1 });
  const wire = [key, value, ...Object.entries(headers).flat()].reduce(
    (sum, part) => sum + Buffer.byteLength(part ?? '') + 5,
    0,
  );
  expect(bytes).toBeGreaterThan(wire);
});

test('a record written by a foreign program is read as malformed at its offset, without throwing', () => {
  const foreign = { ...received(sent(record)), headers: {}, value: Buffer.from('hello') };
  const empty = { id: '', type: '', data: undefined };
  expect(recordOf(foreign, 'channels', 3)).toMatchObject({ ...empty, topic: 'channels', partition: 3, offset: 42 });
});

test('a record without data on a compacted topic is a tombstone, and is read back as one', () => {
  const [row] = encode([{ topic: 'state', partition: 0, record: { ...record, data: undefined } }]);
  if (row === undefined) throw new Error('one record was encoded');
  const tombstone = outboundOf(row, 'state');
  expect(tombstone.value).toBeNull();
  expect(recordOf(received(tombstone), 'state', 0)).toMatchObject({ id: record.id, key: record.key, data: undefined });
});

test('a record of an earlier program, without trace context and actor, is read unchanged', () => {
  const message = received(sent(record));
  const { ce_traceparent: _trace, ce_actor: _actor, ...headers } = message.headers;
  const stored = { ...record, topic: 'channels', partition: 3, offset: 42 };
  expect(recordOf({ ...message, headers }, 'channels', 3)).toEqual(stored);
});
