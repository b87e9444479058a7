import { cursorAt } from '../../../domain/delivery/cursor.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { CheckedPage } from '../../loop/reading/unusable.ts';
import { until } from '../../../../test/support/until.ts';
import { undefinedTarget } from '../subscriptions/redefine.ts';
import type { SubscriptionTarget } from '../targets/target.ts';
import { defaultLimits } from '../delivery-limits.ts';
import { EventBuffer } from '../events/buffer.ts';
import { CatchUp } from './catch-up.ts';
import { ReadTimes } from './read-ahead.ts';
import { SourceCursor } from './source-cursor.ts';
import { Readers } from '../events/readers.ts';

type Page = CheckedPage<'channels'>;

const notIndexed = { isSparse: async () => false, page: async () => undefined };

const webhook = { ...undefinedTarget('wh_1', 'o_1'), url: 'https://receiver.example/', ordered: true, stopped: false };
const subscription: SubscriptionTarget = {
  subscriptionId: 'sub_1',
  workspace: 'o_1',
  emitterId: 'dc_1',
  listenerId: 'wh_1',
  eventName: null,
  closed: false,
  opening: false,
  webhook,
};

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

const pageOf = (next: number, ...records: RecordOn<'channels'>[]): Page => ({
  topic: 'channels',
  partition: 0,
  records,
  next,
  malformed: [],
});

test('an event that arrives while the end of the log is being read is not skipped', async () => {
  const buffer = new EventBuffer();
  const position = cursorAt(3);
  const cursor = new SourceCursor(subscription, 'dc_1', { position, behindFrom: 3, buffer });
  const gate = Promise.withResolvers<Page>();
  const pages: (Page | Promise<Page>)[] = [gate.promise, pageOf(7, event(6))];
  let tailAt = 5;
  const failures: Error[] = [];
  const catchUp = new CatchUp({
    log: { read: async () => (await pages.shift()) ?? pageOf(7) },
    partition: 0,
    readers: new Readers(1),
    sourceRecords: notIndexed,
    buffer,
    limits: defaultLimits,
    tailAt: () => tailAt,
    fed: () => {},
    fail: (error) => failures.push(error),
  });
  catchUp.read(cursor);
  await until('the read to begin', () => pages.length === 1);
  expect(cursor.takesFromTail(6)).toBe(false);
  tailAt = 7;
  gate.resolve(pageOf(5));
  await until('the cursor to join the tail', () => cursor.readFrom === null);
  expect([cursor.queued, cursor.upNext?.offset, failures]).toEqual([1, 6, []]);
});

const change = (offset: number): RecordOn<'channels'> => ({
  ...event(offset),
  type: 'FilterChanged',
  data: { subscriptionId: 'sub_1', version: 1 },
});

test.each([
  { tailAt: 3, queued: 1, joinsAt: 4, of: 'above the tail is left to the tail, with all behind it' },
  { tailAt: 5, queued: 2, joinsAt: 6, of: 'that the tail has passed is no end' },
])('a change of filters $of', async ({ tailAt, queued, joinsAt }) => {
  const buffer = new EventBuffer();
  const cursor = new SourceCursor(subscription, 'dc_1', { position: cursorAt(3), behindFrom: 3, buffer });
  const pages = [pageOf(6, event(3), change(4), event(5))];
  const catchUp = new CatchUp({
    log: { read: async (_topic, _partition, from) => pages.shift() ?? pageOf(from) },
    partition: 0,
    readers: new Readers(1),
    sourceRecords: notIndexed,
    buffer,
    limits: defaultLimits,
    tailAt: () => tailAt,
    fed: () => {},
    fail: () => {},
  });
  catchUp.read(cursor);
  await until('the cursor to join the tail', () => cursor.readFrom === null);
  expect(cursor.queued).toBe(queued);
  cursor.begin(0);
  cursor.finish(3, 'delivered');
  if (queued > 1) cursor.finish(cursor.begin(0)?.offset ?? 0, 'delivered');
  expect([cursor.takesFromTail(joinsAt - 1), cursor.takesFromTail(joinsAt)]).toEqual([false, true]);
});

test('nothing is read for a cursor whose turn has not come, nor ahead of a slow receiver', async () => {
  const buffer = new EventBuffer();
  const position = cursorAt(1);
  const cursor = new SourceCursor(subscription, 'dc_1', { position, behindFrom: 1, buffer });
  const reads: number[] = [];
  const catchUp = new CatchUp({
    log: {
      read: async (_topic, _partition, from, { recordsMax }) => {
        reads.push(from);
        const offsets = Array.from({ length: recordsMax }, (_, i) => from + i);
        return pageOf(from + recordsMax, ...offsets.map(event));
      },
    },
    partition: 0,
    readers: new Readers(1),
    sourceRecords: notIndexed,
    buffer,
    limits: defaultLimits,
    tailAt: () => 100_000,
    fed: () => {},
    fail: () => {},
  });
  catchUp.want(cursor);
  expect(reads).toEqual([]);
  catchUp.read(cursor);
  await until('its first events', () => cursor.queued === 16);
  cursor.begin(0);
  cursor.finish(1, 'delivered');
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (let offset = 2; offset < 16; offset++) {
    catchUp.want(cursor);
    cursor.begin(0);
    cursor.finish(offset, 'delivered');
  }
  catchUp.want(cursor);
  await until('more, once it had become quick', () => reads.length === 2);
  expect(reads).toEqual([1, 17]);
  for (let rest = cursor.queued; rest > 0; rest--) cursor.finish(cursor.begin(0)?.offset ?? 0, 'delivered');
  await new Promise((resolve) => setTimeout(resolve, 20));
  catchUp.want(cursor);
  catchUp.close();
  expect(reads).toHaveLength(2);
});

test('a page is taken for the cursor that it was read for, also when the events left last longer by then', async () => {
  const buffer = new EventBuffer();
  const cursor = new SourceCursor(subscription, 'dc_1', { position: cursorAt(1), behindFrom: 1, buffer });
  const pages = [1, 3].map((from) => ({ from, gate: Promise.withResolvers<void>() }));
  const reads: number[] = [];
  const catchUp = new CatchUp({
    log: {
      read: async (_topic, _partition, from) => {
        reads.push(from);
        await pages.find((page) => page.from === from)?.gate.promise;
        return pageOf(from + 2, event(from), event(from + 1));
      },
    },
    partition: 0,
    readers: new Readers(1),
    sourceRecords: notIndexed,
    buffer,
    limits: defaultLimits,
    tailAt: () => 100_000,
    // Its first event begins at once, so that the other one will soon be sent.
    fed: (one) => void (one.begun === 0 && one.begin(0)),
    fail: () => {},
  });
  pages[0]?.gate.resolve();
  catchUp.read(cursor);
  await until('the second read', () => reads.length === 2);
  await new Promise((resolve) => setTimeout(resolve, 200));
  cursor.finish(1, 'delivered');
  pages[1]?.gate.resolve();
  await until('its events', () => cursor.queued > 2);
  catchUp.close();
  expect(reads).toEqual([1, 3]);
});

test('beyond its budget catching up takes one event at a time, and does not wait for others to free theirs', async () => {
  const buffer = new EventBuffer();
  const place = { position: cursorAt(1), behindFrom: 1, buffer };
  const [holder, other] = [
    new SourceCursor(subscription, 'dc_1', place),
    new SourceCursor({ ...subscription, subscriptionId: 'sub_2' }, 'dc_1', place),
  ];
  const catchUp = new CatchUp({
    log: {
      read: async (_, __, from) => pageOf(from + 16, ...Array.from({ length: 16 }, (_each, i) => event(from + i))),
    },
    partition: 0,
    readers: new Readers(1),
    sourceRecords: notIndexed,
    buffer,
    limits: { ...defaultLimits, catchUpBytesMax: 1_000 },
    tailAt: () => 100_000,
    fed: () => {},
    fail: () => {},
  });
  catchUp.read(holder);
  await until('the first to hold more than the budget', () => holder.queued === 16);
  catchUp.read(other);
  await until('the other to be given one', () => other.queued > 0);
  expect(other.queued).toBe(1);
  catchUp.close();
});

test('the quicker reads are, the fewer events are left when more are read', () => {
  const times = new ReadTimes();
  expect(times.leftMs).toBe(50);
  for (let reads = 0; reads < 50; reads++) times.took(4);
  expect(times.leftMs).toBe(12);
  for (let reads = 0; reads < 50; reads++) times.took(1);
  expect(times.leftMs).toBe(8);
  times.took(1_000);
  expect(times.leftMs).toBe(50);
  times.took(1);
  expect(times.leftMs).toBe(50);
});
