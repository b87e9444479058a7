// Order by key with records from before the members of objects were sorted.
import { orderKeyOf } from '../../../domain/delivery/order/order-key.ts';
import type { Json } from '../../../domain/json.ts';
import { bufferedEvent, EventBuffer, type EmittedRecord } from '../events/buffer.ts';
import { KeyOrder } from './key-order.ts';

const pointer = '/id';
const sorted = { x: 1, y: 2 };
const unsorted = { y: 2, x: 1 };
const { key, former = '' } = orderKeyOf({ id: unsorted }, pointer);

const recordOf = (offset: number, id: Json): EmittedRecord => ({
  id: `rec_${offset}`,
  type: 'EventEmitted',
  version: 1,
  key: 'dc_1',
  at: 1,
  workspace: 'o_1',
  correlationId: 'req_1',
  causationId: 'req_1',
  topic: 'channels',
  partition: 0,
  offset,
  data: { emitterId: 'dc_1', eventId: `1-${offset}`, channel: '', event: { id }, emit: {}, runId: 'run_1' },
});
const eventOf = (offset: number, id: Json) => bufferedEvent(recordOf(offset, id), 'tail');

test('an event waits behind the one that began under its former key, and later ones have the new key', () => {
  const order = new KeyOrder(pointer, new EventBuffer());
  order.restoreHead({ offset: 1, orderKey: former, attempts: 1 } as Parameters<typeof order.restoreHead>[0]);
  const event = eventOf(2, unsorted);
  expect([order.keyOf(event), order.holds(former)]).toEqual([former, true]);
  order.noteEnd(former);
  expect([order.keyOf(event), order.keyOf(eventOf(3, sorted))]).toEqual([key, key]);
});

test('events that wait on the log under a former key are found there', () => {
  const order = new KeyOrder(pointer, new EventBuffer());
  order.restoreLine(former, { first: 1, sequence: 1, last: 3, waiting: 2 });
  const records = [recordOf(1, unsorted), recordOf(2, sorted), recordOf(3, unsorted), recordOf(4, unsorted)];
  expect(order.takePage({ from: 0, end: 5, records, isLeftOut: () => false })).toBe(0);
  const offsets = [order.ready, order.ready].map((line) => line && order.take(line)?.event.offset);
  expect(offsets).toEqual([1, 3]);
  expect(order.isEmpty).toBe(true);
});
