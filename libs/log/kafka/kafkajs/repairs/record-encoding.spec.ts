import { createRequire } from 'node:module';
import fc from 'fast-check';
import { encodeRecord, type ProtocolRecord } from './record-encoding.ts';

const require = createRequire(import.meta.url);
/** The encoder of kafkajs, which this spec does not replace. */
const theirs = require('kafkajs/src/protocol/recordBatch/record/v0') as (record: ProtocolRecord) => { buffer: Buffer };

const text = fc.string({ unit: 'binary', maxLength: 300 });
const records = fc.record(
  {
    offsetDelta: fc.nat(100_000),
    timestampDelta: fc.integer(),
    key: fc.option(text),
    value: fc.option(text),
    headers: fc.dictionary(text, text, { maxKeys: 12, noNullPrototype: true }),
  },
  { requiredKeys: [] },
);

test('a record is encoded to the same bytes as by kafkajs', () => {
  fc.assert(
    fc.property(records, (record) => {
      expect(encodeRecord(record)).toEqual(theirs(record).buffer);
    }),
    { numRuns: 1_000 },
  );
});

test('negative and very large timestamp deltas are encoded as by kafkajs', () => {
  for (const timestampDelta of [-1, -64, -65, 2 ** 31, -(2 ** 31) - 1, 1_700_000_000_000]) {
    const record = { key: 'k', value: 'v', timestampDelta };
    expect(encodeRecord(record)).toEqual(theirs(record).buffer);
  }
});
