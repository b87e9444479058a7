import { PortError } from '../../../../domain/port-error.ts';
import { encodeOne } from '../../../appending/encoding.ts';
import { firstMark, markRecord } from '../../../appending/mark-record.ts';
import type { RawMessage } from '../../kafkajs/kafka-protocol.ts';
import { outboundOf } from '../../encoding/cloud-event.ts';
import { KafkaNames } from '../../kafka-names.ts';
import { Marks } from './marks.ts';

const mark = { positions: { 'listeners/0': 4 }, generation: 7, batch: 3 };
const message = (): RawMessage => {
  const row = encodeOne(markRecord('delivery', 3, mark, 1));
  return { ...outboundOf(row, row.topic), offset: 0 } as unknown as RawMessage;
};

interface Look {
  readonly topic: string;
  readonly end: number;
}

/** A log whose partitions hold what `held` returns at each look. */
function marksOver(held: (look: Look) => RawMessage | undefined): { marks: Marks; looks: Look[] } {
  const looks: Look[] = [];
  const last = async (topic: string, _partition: number, end: number): Promise<RawMessage | undefined> => {
    looks.push({ topic, end });
    return held({ topic, end });
  };
  const reader = { last, end: async () => 1 };
  const known = { end: async () => 2, settledEnd: async () => 3 };
  return { marks: new Marks({ reader, reads: known, names: new KafkaNames('t.'), partitions: 4 }), looks };
}

test('the visible mark and the standing mark are each looked up below their own end', async () => {
  const { marks, looks } = marksOver(message);
  expect([await marks.visibleMark('delivery', 3), await marks.settledMark('delivery', 3)]).toEqual([mark, mark]);
  expect(looks).toEqual([
    { topic: 't.marks.delivery', end: 1 },
    { topic: 't.marks.delivery', end: 2 },
  ]);
});

test('a partition without appends has the first mark', async () => {
  const { marks } = marksOver(() => undefined);
  expect(await marks.settledMark('delivery', 3)).toEqual(firstMark);
});

test('a mark appended by another process after the first look is found, not reported as lost', async () => {
  const { marks } = marksOver(({ topic, end }) =>
    topic === 't.deliveries' || (topic === 't.marks.delivery' && end === 3) ? message() : undefined,
  );
  expect(await marks.settledMark('delivery', 3)).toEqual(mark);
});

test('a mark appended meanwhile without records does not replace the first mark', async () => {
  let marksLooks = 0;
  const { marks } = marksOver(({ topic }) =>
    topic === 't.marks.delivery' && ++marksLooks > 1 ? message() : undefined,
  );
  expect(await marks.settledMark('delivery', 3)).toEqual(firstMark);
});

test('records without any mark are reported as a lost mark', async () => {
  const { marks } = marksOver(({ topic }) => (topic === 't.deliveries' ? message() : undefined));
  const lost = await marks.settledMark('delivery', 3).catch((error: unknown) => error);
  expect(lost).toBeInstanceOf(PortError);
  expect(lost).toMatchObject({
    code: 'corrupt',
    message: expect.stringMatching(/^t\.marks\.delivery holds no mark of delivery\/3, and t\.deliveries\/3 holds/),
  });
});
