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
  const { aside } = cursorAt(5);
  const at = (offset: number, dueAt: number) => ({ offset, sequence: offset, attempts: 1, dueAt, waitMs: 1 });
  expect(aside.dueAt(undefined)).toBeNull();
  for (let offset = 0; offset < 10_000; offset++) aside.add(at(offset, 20_000 - offset));
  expect(aside.dueAt(undefined)).toBe(10_001);
  aside.finish(9_999);
  aside.postpone(9_998, { dueAt: 90_000, waitMs: 1 });
  expect(aside.dueAt(undefined)).toBe(10_003);
  for (let offset = 1; offset < 9_998; offset++) aside.finish(offset);
  expect(aside.dueAt(undefined)).toBe(20_000);
  aside.finish(0);
  expect(aside.dueAt(undefined)).toBe(90_000);
  aside.finish(9_998);
  expect(aside.dueAt(undefined)).toBeNull();
});

test('a retry set aside that is suspended is not due until it is resumed', () => {
  const { aside } = cursorAt(5);
  for (const [offset, dueAt] of [
    [1, 10_001],
    [2, 10_002],
  ] as const)
    aside.add({ offset, sequence: offset, attempts: 1, dueAt, waitMs: 1 });
  expect(aside.dueAt(new Set([1]))).toBe(10_002);
  expect(aside.dueAt(new Set([1, 2]))).toBeNull();
  aside.resumed([2, 1, 3]);
  expect(aside.dueAt(undefined)).toBe(10_001);
});

test('a cursor on record holds no more than it needs, and goes on with the next event', () => {
  const cursor = cursorAt(5);
  const turn = { start: () => true };
  for (const offset of [5, 6, 7]) {
    cursor.offer(eventAt(offset));
    Object.assign(cursor, { turn, linedUp: true, trying: new Set([offset]) });
    expect(cursor.begin(0)?.offset).toBe(offset);
    cursor.recorded();
    expect([cursor.turn, cursor.trying]).toEqual([turn, new Set([offset])]);
    cursor.finish(offset, 'delivered');
    cursor.trying?.delete(offset);
    cursor.linedUp = false;
    cursor.recorded();
    expect([cursor.turn, cursor.trying]).toEqual([undefined, undefined]);
  }
  expect(cursor.position).toMatchObject({ next: 8, open: [], counters: { published: 3, delivered: 3 } });
});

test('retries set aside, and changes of them that no record has yet, outlast a record', () => {
  const cursor = cursorAt(5);
  const { aside } = cursor;
  const delivery = { offset: 1, sequence: 1, attempts: 1, dueAt: 10, waitMs: 1 };
  for (let round = 0; round < 2; round++) {
    aside.add(delivery);
    cursor.recorded();
    expect([aside.size, aside.dueAt(undefined), aside.changed]).toEqual([1, 10, 1]);
    expect([aside.claim(1), aside.claim(1)]).toEqual([true, false]);
    aside.takeChanges();
    cursor.recorded();
    expect([aside.size, aside.isClaimed(1)]).toEqual([1, true]);
    aside.finish(1);
    cursor.recorded();
    expect([aside.size, aside.isClaimed(1), [...aside.takeChanges()]]).toEqual([0, false, [['1', undefined]]]);
    cursor.recorded();
    expect([aside.size, aside.changed, aside.dueAt(undefined), [...aside.all()]]).toEqual([0, 0, null, []]);
  }
});

test('events accounted for before a restart are not taken from the tail again, nor given up', () => {
  const cursor = cursorAt(5);
  expect(cursor.takesFromTail(4)).toBe(false);
  expect([cursor.expireFromTail(4), cursor.position.counters.published]).toEqual([false, 0]);
  cursor.miss(4);
  expect(cursor.unreadFrom).toBeNull();
  expect(cursor.takesFromTail(5)).toBe(true);
});

test('a cursor that is behind ignores the tail until it has caught up with it', () => {
  const cursor = cursorAt(5, true, 7);
  expect(cursor.takesFromTail(20)).toBe(false);
  cursor.catchUp(eventAt(7));
  cursor.readUpTo(20);
  expect(cursor.unreadFrom).toBe(7);
  cursor.join(20);
  expect(cursor.takesFromTail(19)).toBe(false);
  expect(cursor.takesFromTail(20)).toBe(true);
});

test('a failing head releases the queued events and says from where to read them later', () => {
  const cursor = cursorAt(5);
  for (const offset of [5, 6, 8]) cursor.offer(eventAt(offset));
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
  for (const offset of [5, 6]) cursor.offer(eventAt(offset));
  cursor.passOver(leftOut);
  cursor.begin(0);
  cursor.postpone(5, { dueAt: 1_000, waitMs: 1_000 });
  cursor.finish(5, 'delivered');
  cursor.catchUp(eventAt(6));
  cursor.passOver(leftOut);
  cursor.begin(0);
  cursor.finish(6, 'delivered');
  cursor.offer(eventAt(8));
  cursor.begin(0);
  expect(cursor.position.counters).toMatchObject({ published: 4, delivered: 2, filtered: 1 });
});

test('events that come while a head fails are left on the log, from the first one on', () => {
  const cursor = cursorAt(5);
  cursor.offer(eventAt(5));
  cursor.begin(0);
  cursor.postpone(5, { dueAt: 1_000, waitMs: 1_000 });
  expect(cursor.takesFromTail(9)).toBe(false);
  cursor.miss(9);
  cursor.miss(11);
  expect(cursor.readFrom).toBe(9);
});

test('without order, a failure blocks nothing', () => {
  const cursor = cursorAt(5, false);
  for (const offset of [5, 6]) cursor.offer(eventAt(offset));
  cursor.begin(0);
  cursor.postpone(5, { dueAt: 1_000, waitMs: 1_000 });
  expect(cursor.startable).toBe(true);
  expect(cursor.takesFromTail(7)).toBe(true);
});

test('new events need no new cursor record once the one on the log says that more may be unread', () => {
  const cursor = cursorAt(5);
  cursor.offer(eventAt(5));
  expect(cursor.uncovered).toBe(true);
  cursor.recorded();
  expect(cursor.uncovered).toBe(false);
  cursor.begin(0);
  cursor.recorded();
  expect(cursor.uncovered).toBe(true);
});

test('an event held by two cursors is counted once, until both have released it', () => {
  const [first, second] = [cursorAt(5), cursorAt(5)];
  const event = eventAt(5);
  first.offer(event);
  const { bytes } = buffer;
  second.offer(event);
  expect(buffer.bytes).toBe(bytes);
  first.fallBehind();
  expect(buffer.bytes).toBe(bytes);
  second.begin(0);
  expect(buffer.bytes).toBe(0);
});

test('without order a failing event moves from the position to a record of its own, and comes back from it', () => {
  const cursor = cursorAt(0, false);
  for (let offset = 0; offset < 100; offset++) {
    cursor.offer(eventAt(offset));
    cursor.begin(0);
    cursor.postpone(offset, { dueAt: 1_000, waitMs: 1_000 });
  }
  expect(cursor.position.open.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 16 }, (_, i) => i + 85));
  expect([cursor.aside.size, cursor.aside.changed, cursor.blocked]).toEqual([84, 84, false]);
  cursor.aside.takeChanges();
  cursor.postpone(3, { dueAt: 2_000, waitMs: 2_000 });
  cursor.finish(4, 'delivered');
  expect([...cursor.aside.takeChanges()]).toEqual([
    ['4', { offset: 3, sequence: 4, attempts: 2, dueAt: 2_000, waitMs: 2_000 }],
    ['5', undefined],
  ]);
  expect([cursor.attemptsAt(3), cursor.attemptsAt(4), cursor.attemptsAt(99)]).toEqual([2, undefined, 1]);
  expect(cursor.position.counters).toMatchObject({ published: 100, delivered: 1 });
});
