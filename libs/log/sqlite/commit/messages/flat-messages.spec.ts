// Messages to the other thread are unchanged after packing and unpacking.
import type { AppendOrder, OrderOutcome } from '../order.ts';
import { packAppend, packOutcome, unpackAppend, unpackOutcome } from './flat-messages.ts';

const row = { partition: 3, key: null, count: 2, lines: '{"a":1}\n{"b":"ü"}' };
const marked: NonNullable<AppendOrder['marked']> = {
  claim: { stage: 'runtime', partition: 3, generation: 7 },
  mark: { positions: { 'triggers/3': 12, 'sources/3': 0 }, generation: 7, batch: 99 },
};
const order: AppendOrder = { kind: 'append', id: 5, bytes: 20, topics: [], marked: null };

test.each<[string, AppendOrder]>([
  ['of nothing', order],
  ['of a mark alone', { ...order, marked }],
  ['of a mark that has passed nothing', { ...order, marked: { ...marked, mark: { ...marked.mark, positions: {} } } }],
  ['of a request', { ...order, topics: [{ topic: 'triggers', rows: [row] }] }],
  [
    'of many rows',
    {
      ...order,
      topics: [
        { topic: 'channels', rows: [row, { ...row, lines: '' }] },
        { topic: 'runs', rows: [] },
        {
          topic: 'state',
          rows: [
            { ...row, key: 'dc_1' },
            { ...row, key: '', isTombstone: true },
          ],
        },
      ],
      marked,
    },
  ],
])('an append %s survives packing', (_, append) => {
  expect(unpackAppend(structuredClone(packAppend(append)))).toEqual(append);
});

test('outcomes with and without a mark, and refusals, are unchanged after packing', () => {
  const { mark } = marked;
  const done = { id: 5, firstOffsets: [3, 1], written: { mark, text: '{}', offset: 9 } };
  const roundTrip = (outcome: OrderOutcome) => {
    const packed = packOutcome(outcome);
    return 'id' in packed ? packed : unpackOutcome(packed);
  };
  expect(roundTrip(done)).toEqual({ ...done, written: { text: '{}', offset: 9 } });
  expect(roundTrip({ ...done, firstOffsets: [], written: null })).toEqual({ ...done, firstOffsets: [], written: null });
  const refused = { id: 5, code: 'fenced', message: 'newer' } as const;
  expect(roundTrip(refused)).toEqual(refused);
});
