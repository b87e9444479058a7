import { cursorAt } from '../../../domain/delivery/cursor.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { Semaphore } from '../../../primitives/sharing/semaphore.ts';
import type { CheckedPage } from '../../loop/reading/unusable.ts';
import { until } from '../../../../test/support/until.ts';
import { subscriptionTo } from '../subscriptions/subscription-target.fake.ts';
import { defaultLimits } from '../delivery-limits.ts';
import { EventBuffer } from '../events/buffer.ts';
import { CatchUp, type CatchUpOptions } from './catch-up.ts';
import { ReadTimes } from './read-ahead.ts';
import { SourceCursor } from './source-cursor.ts';

type Page = CheckedPage<'channels'>;

const notIndexed = { isSparse: async () => false, page: async () => undefined };

const subscription = subscriptionTo();

const event = (offset: number): RecordOn<'channels'> => ({
  id: `rec_${offset}`,
  type: 'EventEmitted',
  version: 1,
  key: 'dc_1',
  data: { emitterId: 'dc_1', eventId: `1-${offset}`, channel: '', event: {}, emit: {}, runId: 'run_1' },
  at: 1,
  workspace: 'o_1',
  correlationId: 'req_1',
  causationId: 'req_1',
  topic: 'channels',
  partition: 0,
  offset,
});

const eventsFrom = (offset: number, count: number): RecordOn<'channels'>[] =>
  Array.from({ length: count }, (_, i) => event(offset + i));

const pageOf = (next: number, ...records: RecordOn<'channels'>[]): Page => ({
  topic: 'channels',
  partition: 0,
  records,
  next,
  malformed: [],
});

let buffer: EventBuffer;
beforeEach(() => {
  buffer = new EventBuffer();
});

/** A cursor that reads the log from `next` on. */
const cursorBehind = (next: number, of = subscription): SourceCursor =>
  new SourceCursor(of, 'dc_1', { position: cursorAt(next), behindFrom: next, buffer });

type Read = CatchUpOptions['log']['read'];

/** The tail is far ahead of what is read, unless `more` says otherwise. */
const catchUpReading = (read: Read, more: Partial<CatchUpOptions> = {}): CatchUp =>
  new CatchUp({
    log: { read },
    partition: 0,
    readSlots: new Semaphore(1),
    sourceRecords: notIndexed,
    buffer,
    limits: defaultLimits,
    tailAt: () => 100_000,
    fed: () => {},
    fail: () => {},
    ...more,
  });

test('an event that arrives while the end of the log is being read is not skipped', async () => {
  const cursor = cursorBehind(3);
  const gate = Promise.withResolvers<Page>();
  const pages: (Page | Promise<Page>)[] = [gate.promise, pageOf(7, event(6))];
  let tailAt = 5;
  const failures: Error[] = [];
  const catchUp = catchUpReading(async () => (await pages.shift()) ?? pageOf(7), {
    tailAt: () => tailAt,
    fail: (error) => failures.push(error),
  });
  catchUp.readNow(cursor);
  await until('the read to begin', () => pages.length === 1);
  expect(cursor.acceptsFromTail(6)).toBe(false);
  tailAt = 7;
  gate.resolve(pageOf(5));
  await until('the cursor to join the tail', () => cursor.readFrom === null);
  expect([cursor.queued, cursor.nextEvent?.offset, failures]).toEqual([1, 6, []]);
});

const change = (offset: number): RecordOn<'channels'> => ({
  ...event(offset),
  type: 'FilterChanged',
  data: { subscriptionId: 'sub_1', version: 1 },
});

test('a cursor that stands at a change of filters which the tail has not passed joins the tail there', async () => {
  const cursor = cursorBehind(4);
  let reads = 0;
  const catchUp = catchUpReading(async () => (reads++, pageOf(6, change(4), event(5))), { tailAt: () => 4 });
  catchUp.readNow(cursor);
  await until('the cursor to join the tail', () => cursor.readFrom === null);
  expect([reads, cursor.queued, cursor.acceptsFromTail(4)]).toEqual([1, 0, true]);
});

test('a page for a cursor that retention has moved beyond it meanwhile does not take it back', async () => {
  const cursor = cursorBehind(3);
  const gate = Promise.withResolvers<Page>();
  const from: number[] = [];
  const catchUp = catchUpReading(async (_topic, _partition, at) => {
    from.push(at);
    return from.length === 1 ? gate.promise : pageOf(100_000);
  });
  catchUp.readNow(cursor);
  await until('the read to begin', () => from.length === 1);
  cursor.expireUnread(7, 10);
  gate.resolve(pageOf(6, ...eventsFrom(3, 3)));
  await until('the next read', () => from.length === 2);
  expect(from).toEqual([3, 10]);
});

test.each([
  { tailAt: 3, queued: 1, joinsAt: 4, of: 'above the tail is left to the tail, with all behind it' },
  { tailAt: 5, queued: 2, joinsAt: 6, of: 'that the tail has passed is no end' },
])('a change of filters $of', async ({ tailAt, queued, joinsAt }) => {
  const cursor = cursorBehind(3);
  const pages = [pageOf(6, event(3), change(4), event(5))];
  const catchUp = catchUpReading(async (_topic, _partition, from) => pages.shift() ?? pageOf(from), {
    tailAt: () => tailAt,
  });
  catchUp.readNow(cursor);
  await until('the cursor to join the tail', () => cursor.readFrom === null);
  expect(cursor.queued).toBe(queued);
  cursor.begin(0);
  cursor.finish(3, 'delivered');
  if (queued > 1) cursor.finish(cursor.begin(0)?.offset ?? 0, 'delivered');
  expect([cursor.acceptsFromTail(joinsAt - 1), cursor.acceptsFromTail(joinsAt)]).toEqual([false, true]);
});

test('nothing is read for a cursor whose turn has not come, nor ahead of a slow receiver', async () => {
  const cursor = cursorBehind(1);
  const reads: number[] = [];
  const catchUp = catchUpReading(async (_topic, _partition, from, { recordsMax }) => {
    reads.push(from);
    return pageOf(from + recordsMax, ...eventsFrom(from, recordsMax));
  });
  catchUp.requestRead(cursor);
  expect(reads).toEqual([]);
  catchUp.readNow(cursor);
  await until('its first events', () => cursor.queued === 16);
  cursor.begin(0);
  cursor.finish(1, 'delivered');
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (let offset = 2; offset < 16; offset++) {
    catchUp.requestRead(cursor);
    cursor.begin(0);
    cursor.finish(offset, 'delivered');
  }
  catchUp.requestRead(cursor);
  await until('more, once it had become quick', () => reads.length === 2);
  expect(reads).toEqual([1, 17]);
  for (let remaining = cursor.queued; remaining > 0; remaining--)
    cursor.finish(cursor.begin(0)?.offset ?? 0, 'delivered');
  await new Promise((resolve) => setTimeout(resolve, 20));
  catchUp.requestRead(cursor);
  catchUp.close();
  expect(reads).toHaveLength(2);
});

test('a page is taken for the cursor that it was read for, also when the events left last longer by then', async () => {
  const cursor = cursorBehind(1);
  const pages = [1, 3].map((from) => ({ from, gate: Promise.withResolvers<void>() }));
  const reads: number[] = [];
  const read: Read = async (_topic, _partition, from) => {
    reads.push(from);
    await pages.find((page) => page.from === from)?.gate.promise;
    return pageOf(from + 2, ...eventsFrom(from, 2));
  };
  // Its first event begins at once, so that the other one will soon be sent.
  const catchUp = catchUpReading(read, { fed: (one) => void (one.begunCount === 0 && one.begin(0)) });
  pages[0]?.gate.resolve();
  catchUp.readNow(cursor);
  await until('the second read', () => reads.length === 2);
  await new Promise((resolve) => setTimeout(resolve, 200));
  cursor.finish(1, 'delivered');
  pages[1]?.gate.resolve();
  await until('its events', () => cursor.queued > 2);
  catchUp.close();
  expect(reads).toEqual([1, 3]);
});

test('beyond its budget catching up takes one event at a time, and does not wait for others to free theirs', async () => {
  const [holder, other] = [cursorBehind(1), cursorBehind(1, { ...subscription, subscriptionId: 'sub_2' })];
  const catchUp = catchUpReading(async (_topic, _partition, from) => pageOf(from + 16, ...eventsFrom(from, 16)), {
    limits: { ...defaultLimits, catchUpBytesMax: 1_000 },
  });
  catchUp.readNow(holder);
  await until('the first to hold more than the budget', () => holder.queued === 16);
  catchUp.readNow(other);
  await until('the other to be given one', () => other.queued > 0);
  expect(other.queued).toBe(1);
  catchUp.close();
});

test('a cursor of another workspace reads in its turn, however many of one workspace are behind', async () => {
  const reads: number[] = [];
  const catchUp = catchUpReading(async (_topic, _partition, from) => {
    reads.push(from);
    return pageOf(from + 1, event(from));
  });
  for (let n = 0; n < 100; n++)
    catchUp.readNow(cursorBehind(n * 1_000, { ...subscription, subscriptionId: `sub_${n}` }));
  catchUp.readNow(cursorBehind(500, { ...subscription, subscriptionId: 'sub_other', workspace: 'o_2' }));
  await until('a few reads', () => reads.length > 5);
  catchUp.close();
  expect(reads.indexOf(500)).toBeLessThan(3);
  expect(reads.slice(0, 2)).toContain(0);
});

test('the quicker reads are, the fewer events are left when more are read', () => {
  const times = new ReadTimes();
  expect(times.remainingMs).toBe(50);
  for (let reads = 0; reads < 50; reads++) times.recordRead(4);
  expect(times.remainingMs).toBe(12);
  for (let reads = 0; reads < 50; reads++) times.recordRead(1);
  expect(times.remainingMs).toBe(8);
  times.recordRead(1_000);
  expect(times.remainingMs).toBe(50);
  times.recordRead(1);
  expect(times.remainingMs).toBe(50);
});
