import { packBytes, unpack } from '../rows/row-packs.ts';
import type { Row } from '../rows/rows.ts';
import { LargeAppends } from './large-appends.ts';
import type { AppendOrder, MarkOrder, Order, ReadyOrder } from './order.ts';

let large: LargeAppends;
let lastId: number;
beforeEach(() => {
  large = new LargeAppends();
  lastId = 0;
});

const line = JSON.stringify({ text: 'x'.repeat(1000) });
const rowOf = (count: number, partition = 0): Row => ({
  partition,
  key: null,
  count,
  lines: Array.from({ length: count }, () => line).join('\n'),
});
/** Rows of some 30 KiB each. */
const rows = (count: number, partition = 0): readonly Row[] =>
  Array.from({ length: count }, () => rowOf(30, partition));

function append(given: readonly Row[], partition: number | null = 0): AppendOrder {
  const claim = { stage: 'runtime', partition: partition ?? 0, generation: 1 } as const;
  const mark = { positions: {}, generation: 1, batch: 1 };
  return {
    kind: 'append',
    id: ++lastId,
    bytes: given.reduce((sum, { lines }) => sum + lines.length, 0),
    topics: [{ topic: 'channels', rows: given }],
    marked: partition === null ? null : { claim, mark },
  };
}

const takeOver = (partition: number): MarkOrder => ({
  kind: 'mark',
  id: ++lastId,
  bytes: 0,
  stage: 'runtime',
  partition,
  generation: null,
});

const ids = (orders: readonly ReadyOrder[]): readonly number[] => orders.map(({ id }) => id);
const admit = (...orders: Order[]): readonly number[] => ids(large.admit(orders));

/** What each step returns, until nothing is held. */
function steps(): readonly (readonly ReadyOrder[])[] {
  const batches: (readonly ReadyOrder[])[] = [];
  while (!large.isEmpty) batches.push(large.step());
  return batches;
}

test('small appends are not held, nor are orders of others while a large append is held', () => {
  expect(admit(append(rows(1)), append(rows(40), 1), append(rows(1), 2), append(rows(1), null))).toEqual([1, 3, 4]);
  expect(admit(append(rows(1), 3), takeOver(3))).toEqual([5, 6]);
});

test('a step makes one pack, and the last step returns the append', () => {
  admit(append(rows(12)));
  expect(steps().map(ids)).toEqual([[], [], [1]]);
});

test('orders of an owner after its large append wait for it and keep their order, take-overs too', () => {
  expect(admit(append(rows(20)), append(rows(1)), takeOver(0))).toEqual([]);
  expect(admit(append(rows(1)))).toEqual([]);
  expect(steps().flatMap(ids)).toEqual([1, 2, 3, 4]);
});

test('two large appends of one owner are packed one after the other, and others need not wait for both', () => {
  admit(append(rows(10)), append(rows(1)), append(rows(10)), append(rows(1)), append(rows(10), 1), append(rows(1), 1));
  expect(
    steps()
      .map(ids)
      .filter((given) => given.length > 0),
  ).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
});

test('requests to one partition keep their order, and requests to another one do not wait', () => {
  expect(
    admit(append(rows(10), null), append(rows(10), null), append(rows(1), null), append(rows(1, 1), null)),
  ).toEqual([4]);
  expect(steps().flatMap(ids)).toEqual([1, 2, 3]);
});

test('rows with enough text for a pack become one, and its records end at the offset of its row', () => {
  const appendedRows = [...rows(2, 1), ...rows(5, 2)];
  admit(append(appendedRows));
  const [ready] = steps().flat();
  const stored = ready?.kind === 'append' ? (ready.topics[0]?.rows ?? []) : [];
  expect(stored.map(({ partition, count, lines }) => [partition, count, typeof lines])).toEqual([
    [1, 30, 'string'],
    [1, 30, 'string'],
    [2, 150, 'object'],
  ]);
  expect(appendedRows.slice(2).reduce((sum, { lines }) => sum + lines.length, 0)).toBeGreaterThan(packBytes);
  const records = unpack(stored[2]?.lines as Buffer, { offset: 1000, count: 150 }, 'log.sqlite');
  expect(records.map(({ offset }) => offset)).toEqual(Array.from({ length: 150 }, (_, i) => 851 + i));
  expect(records.every(({ text }) => text === line)).toBe(true);
});

test('rows of compacted topics are not packed', () => {
  const keyedRows = Array.from({ length: 5 }, (_, i) => ({ ...rowOf(30), key: `k${i}`, count: 1 }));
  const order = append(rows(5));
  admit({ ...order, bytes: order.bytes * 2, topics: [...order.topics, { topic: 'state', rows: keyedRows }] });
  const [ready] = steps().flat();
  expect(ready?.kind === 'append' && ready.topics[1]).toEqual({ topic: 'state', rows: keyedRows });
});
