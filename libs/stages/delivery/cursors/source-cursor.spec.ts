import { cursorAt as positionAt } from '../../../domain/delivery/cursor.ts';
import { subscriptionTo } from '../subscriptions/subscription-target.fake.ts';
import { EventBuffer } from '../events/buffer.ts';
import type { BufferedEvent, EmittedRecord } from '../events/buffer.ts';
import { SourceCursor } from './source-cursor.ts';

const eventAt = (offset: number): BufferedEvent => ({
  offset,
  emitterId: 'dc_1',
  eventId: `1-${offset}`,
  channel: '',
  workspace: 'o_1',
  correlationId: 'c',
  recordId: `rec_${offset}`,
  body: '{}',
  hops: 0,
  budget: 'tail',
  holders: 0,
});

let buffer: EventBuffer;
const cursorAt = (next: number, ordered = true, behindFrom: number | null = null): SourceCursor =>
  new SourceCursor(subscriptionTo({ ordered }), 'dc_1', { position: positionAt(next), behindFrom, buffer });

beforeEach(() => {
  buffer = new EventBuffer();
});

test('the earliest of the retries set aside is known, whatever became of the others', () => {
  const { retries } = cursorAt(5);
  const at = (offset: number, dueAt: number) => ({ offset, sequence: offset, attempts: 1, dueAt, waitMs: 1 });
  expect(retries.dueAt(undefined)).toBeNull();
  for (let offset = 0; offset < 10_000; offset++) retries.add(at(offset, 20_000 - offset));
  expect(retries.dueAt(undefined)).toBe(10_001);
  retries.finish(9_999);
  retries.postpone(9_998, { dueAt: 90_000, waitMs: 1 });
  expect(retries.dueAt(undefined)).toBe(10_003);
  for (let offset = 1; offset < 9_998; offset++) retries.finish(offset);
  expect(retries.dueAt(undefined)).toBe(20_000);
  retries.finish(0);
  expect(retries.dueAt(undefined)).toBe(90_000);
  retries.finish(9_998);
  expect(retries.dueAt(undefined)).toBeNull();
});

test('a retry set aside that is suspended is not due until it is resumed', () => {
  const { retries } = cursorAt(5);
  for (const [offset, dueAt] of [
    [1, 10_001],
    [2, 10_002],
  ] as const)
    retries.add({ offset, sequence: offset, attempts: 1, dueAt, waitMs: 1 });
  expect(retries.dueAt(new Set([1]))).toBe(10_002);
  expect(retries.dueAt(new Set([1, 2]))).toBeNull();
  retries.noteResumed([2, 1, 3]);
  expect(retries.dueAt(undefined)).toBe(10_001);
});

test('a cursor on record holds no more than it needs, and goes on with the next event', () => {
  const cursor = cursorAt(5);
  const turn = { start: () => true };
  for (const offset of [5, 6, 7]) {
    cursor.queueFromTail(eventAt(offset));
    Object.assign(cursor, { laneEntry: turn, isInLane: true, inFlight: new Set([offset]) });
    expect(cursor.begin(0)?.offset).toBe(offset);
    cursor.markRecorded();
    expect([cursor.laneEntry, cursor.inFlight]).toEqual([turn, new Set([offset])]);
    cursor.finish(offset, 'delivered');
    cursor.inFlight?.delete(offset);
    cursor.isInLane = false;
    cursor.markRecorded();
    expect([cursor.laneEntry, cursor.inFlight]).toEqual([undefined, undefined]);
  }
  expect(cursor.position).toMatchObject({ next: 8, open: [], counters: { published: 3, delivered: 3 } });
});

test('retries set aside, and changes of them that no record has yet, outlast a record', () => {
  const cursor = cursorAt(5);
  const { retries } = cursor;
  const delivery = { offset: 1, sequence: 1, attempts: 1, dueAt: 10, waitMs: 1 };
  for (let round = 0; round < 2; round++) {
    retries.add(delivery);
    cursor.markRecorded();
    expect([retries.size, retries.dueAt(undefined), retries.changeCount]).toEqual([1, 10, 1]);
    expect([retries.claim(1), retries.claim(1)]).toEqual([true, false]);
    retries.takeChanges();
    cursor.markRecorded();
    expect([retries.size, retries.isClaimed(1)]).toEqual([1, true]);
    retries.finish(1);
    cursor.markRecorded();
    expect([retries.size, retries.isClaimed(1), [...retries.takeChanges()]]).toEqual([0, false, [['1', undefined]]]);
    cursor.markRecorded();
    expect([retries.size, retries.changeCount, retries.dueAt(undefined), [...retries.all()]]).toEqual([0, 0, null, []]);
  }
});

test('events accounted for before a restart are not taken from the tail again, nor given up', () => {
  const cursor = cursorAt(5);
  expect(cursor.acceptsFromTail(4)).toBe(false);
  expect([cursor.expireFromTail(4), cursor.position.counters.published]).toEqual([false, 0]);
  cursor.markUnread(4);
  expect(cursor.unreadFrom).toBeNull();
  expect(cursor.acceptsFromTail(5)).toBe(true);
});

test('a cursor that is behind ignores the tail until it has caught up with it', () => {
  const cursor = cursorAt(5, true, 7);
  expect(cursor.acceptsFromTail(20)).toBe(false);
  cursor.queueFromLog(eventAt(7));
  cursor.markReadTo(20);
  expect(cursor.unreadFrom).toBe(7);
  cursor.joinTail(20);
  expect(cursor.acceptsFromTail(19)).toBe(false);
  expect(cursor.acceptsFromTail(20)).toBe(true);
});

test('a failing head releases the queued events and says from where to read them later', () => {
  const cursor = cursorAt(5);
  for (const offset of [5, 6, 8]) cursor.queueFromTail(eventAt(offset));
  expect(buffer.bytes).toBeGreaterThan(0);
  cursor.begin(0);
  cursor.postpone(5, { dueAt: 1_000, waitMs: 1_000 });
  expect(cursor.queued).toBe(0);
  expect(buffer.bytes).toBe(0);
  expect(cursor.readFrom).toBe(6);
});

test('an event that the filter leaves out is counted once, also if it waited behind a failing head', () => {
  const cursor = cursorAt(5);
  const leftOut = { offset: 7, data: { eventId: '1-7' } } as EmittedRecord;
  for (const offset of [5, 6]) cursor.queueFromTail(eventAt(offset));
  cursor.skipFiltered(leftOut);
  cursor.begin(0);
  cursor.postpone(5, { dueAt: 1_000, waitMs: 1_000 });
  cursor.finish(5, 'delivered');
  cursor.queueFromLog(eventAt(6));
  cursor.skipFiltered(leftOut);
  cursor.begin(0);
  cursor.finish(6, 'delivered');
  cursor.queueFromTail(eventAt(8));
  cursor.begin(0);
  expect(cursor.position.counters).toMatchObject({ published: 4, delivered: 2, filtered: 1 });
});

test('events that come while a head fails are left on the log, from the first one on', () => {
  const cursor = cursorAt(5);
  cursor.queueFromTail(eventAt(5));
  cursor.begin(0);
  cursor.postpone(5, { dueAt: 1_000, waitMs: 1_000 });
  expect(cursor.acceptsFromTail(9)).toBe(false);
  cursor.markUnread(9);
  cursor.markUnread(11);
  expect(cursor.readFrom).toBe(9);
});

test('without order, a failure blocks nothing', () => {
  const cursor = cursorAt(5, false);
  for (const offset of [5, 6]) cursor.queueFromTail(eventAt(offset));
  cursor.begin(0);
  cursor.postpone(5, { dueAt: 1_000, waitMs: 1_000 });
  expect(cursor.canStart).toBe(true);
  expect(cursor.acceptsFromTail(7)).toBe(true);
});

test('new events need no new cursor record once the one on the log says that more may be unread', () => {
  const cursor = cursorAt(5);
  cursor.queueFromTail(eventAt(5));
  expect(cursor.needsUnreadRecord).toBe(true);
  cursor.markRecorded();
  expect(cursor.needsUnreadRecord).toBe(false);
  cursor.begin(0);
  cursor.markRecorded();
  expect(cursor.needsUnreadRecord).toBe(true);
});

test('an event held by two cursors is counted once, until both have released it', () => {
  const [first, second] = [cursorAt(5), cursorAt(5)];
  const event = eventAt(5);
  first.queueFromTail(event);
  const { bytes } = buffer;
  second.queueFromTail(event);
  expect(buffer.bytes).toBe(bytes);
  first.fallBehind();
  expect(buffer.bytes).toBe(bytes);
  second.begin(0);
  expect(buffer.bytes).toBe(0);
});

test('without order a failing event moves from the position to a record of its own, and comes back from it', () => {
  const cursor = cursorAt(0, false);
  for (let offset = 0; offset < 100; offset++) {
    cursor.queueFromTail(eventAt(offset));
    cursor.begin(0);
    cursor.postpone(offset, { dueAt: 1_000, waitMs: 1_000 });
  }
  expect(cursor.position.open.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 16 }, (_, i) => i + 85));
  expect([cursor.retries.size, cursor.retries.changeCount, cursor.isBlocked]).toEqual([84, 84, false]);
  cursor.retries.takeChanges();
  cursor.postpone(3, { dueAt: 2_000, waitMs: 2_000 });
  cursor.finish(4, 'delivered');
  expect([...cursor.retries.takeChanges()]).toEqual([
    ['4', { offset: 3, sequence: 4, attempts: 2, dueAt: 2_000, waitMs: 2_000 }],
    ['5', undefined],
  ]);
  expect([cursor.attemptsAt(3), cursor.attemptsAt(4), cursor.attemptsAt(99)]).toEqual([2, undefined, 1]);
  expect(cursor.position.counters).toMatchObject({ published: 100, delivered: 1 });
});
