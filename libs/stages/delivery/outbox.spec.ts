import type { LogRecord } from '../../domain/message.ts';
import type { OutgoingOn } from '../../log/log.ts';
import { EventBuffer } from './events/buffer.ts';
import type { SourceCursor } from './cursors/source-cursor.ts';
import { newCursor } from './subscriptions/cursor-of.ts';
import { defaultLimits } from './delivery-limits.ts';
import { subscriptionTo } from './subscriptions/subscription-target.fake.ts';
import { Outbox } from './outbox.ts';
import type { CompletionRecord } from './outcomes/completion-records.ts';

const subscription = { ...subscriptionTo(), emitterId: 'dc_*' };
const cursorOf = (emitterId: string, of = subscription): SourceCursor =>
  newCursor(of, emitterId, { next: 5, buffer: new EventBuffer() });
/** A record whose data is not read. */
const attempt = (id: string): CompletionRecord =>
  ({
    id,
    type: 'DeliveryAttempted',
    version: 1,
    key: 'sub_1',
    data: {},
    at: 1,
    workspace: 'o_1',
    correlationId: 'c',
    causationId: 'c',
  }) as CompletionRecord;
const tombstone = (id: string, key: string): OutgoingOn<'cursors'> => ({
  topic: 'cursors',
  partition: 3,
  record: { ...attempt(id), type: 'DeletionKept', key, data: undefined },
});

let readies: number;
let outbox: Outbox;
const ambient = { now: () => 1, randomBytes: (count: number) => Buffer.alloc(count) };

beforeEach(() => {
  readies = 0;
  outbox = new Outbox({ partition: 3, partitions: 4, ambient, limits: defaultLimits, ready: () => readies++ });
});
afterEach(() => outbox.drain());

const typesOf = (records: readonly { record: LogRecord }[] | undefined): string[] | undefined =>
  records?.map(({ record }) => record.type);

test('completions are collected until there are enough of them', () => {
  const cursor = cursorOf('dc_1');
  for (let i = 1; i < defaultLimits.flushCompletions; i++) outbox.complete(cursor, [attempt(`rec_${i}`)], 100);
  expect(outbox.take(1_000_000)).toBeUndefined();
  expect(readies).toBe(0);
  outbox.complete(cursor, [attempt('rec_last')], 100);
  expect(readies).toBe(1);
  expect(outbox.take(1_000_000)?.records).toHaveLength(defaultLimits.flushCompletions + 1);
  expect(outbox.take(1_000_000)).toBeUndefined();
});

test('an attempt and the cursor it moved are written together, to the partition of the source', () => {
  outbox.complete(cursorOf('dc_1'), [attempt('rec_1')], 100);
  outbox.drain();
  const output = outbox.take(1_000_000);
  expect(output?.records).toMatchObject([
    { topic: 'deliveries', partition: 3, record: { id: 'rec_1' } },
    { topic: 'cursors', partition: 3, record: { key: 'sub_1/dc_1', data: { next: 5 } } },
  ]);
});

test('what does not fit goes with the next append, each cursor whole, and the positions with the last one', () => {
  outbox.advancePosition('channels/3', 9);
  for (const emitterId of ['dc_1', 'dc_2']) outbox.complete(cursorOf(emitterId), [attempt(emitterId)], 5_000);
  outbox.drain();
  const first = outbox.take(6_000);
  expect(typesOf(first?.records)).toEqual(['DeliveryAttempted', 'CursorAdvanced']);
  expect(first?.positions).toEqual({});
  const second = outbox.take(6_000);
  expect(typesOf(second?.records)).toEqual(['DeliveryAttempted', 'CursorAdvanced']);
  expect(second?.positions).toEqual({ 'channels/3': 9 });
  expect(outbox.take(6_000)).toBeUndefined();
});

test('of ten thousand cursors a thousand go into each append, and the positions into the last one', () => {
  outbox.advancePosition('channels/3', 9);
  for (let n = 0; n < 10_000; n++) outbox.touch(cursorOf(`dc_${n}`));
  outbox.drain();
  const outputs: [count: number | undefined, positions: object | undefined][] = [];
  for (let output = outbox.take(Infinity); output !== undefined; output = outbox.take(Infinity))
    outputs.push([output.records.length, output.positions]);
  expect(outputs).toEqual(Array.from({ length: 10 }, (_, i) => [1_000, i < 9 ? {} : { 'channels/3': 9 }]));
});

test('control records are split too: positions go with the last of them, and cursors after all of them', () => {
  for (const id of ['1', '2', '3', '4', '5']) outbox.appendNow(tombstone(id, id));
  outbox.advancePosition('listeners/0', 9);
  outbox.touch(cursorOf('dc_1'));
  const outputs = [outbox.take(1_536), outbox.take(1_536), outbox.take(2_560)];
  expect(outputs.map((output) => output?.records.map(({ record }) => record.id.slice(0, 3)))).toEqual([
    ['1', '2'],
    ['3', '4'],
    ['5', 'rec'],
  ]);
  expect(outputs.map((output) => output?.positions)).toEqual([{}, {}, { 'listeners/0': 9 }]);
  expect(outbox.take(1_024)).toBeUndefined();
});

test('records to write last follow all cursors, even over several appends, and the positions end the last append', () => {
  for (const key of ['a', 'b', 'c']) outbox.appendLast(tombstone(key, key));
  outbox.advancePosition('channels/3', 9);
  for (const emitterId of ['dc_1', 'dc_2']) outbox.touch(cursorOf(emitterId));
  const keys = (output = outbox.take(1_000)) => output?.records.map(({ record }) => record.key);
  expect(keys()).toEqual(['sub_1/dc_1']);
  outbox.touch(cursorOf('dc_3'));
  expect(keys()).toEqual(['sub_1/dc_2']);
  expect(keys()).toEqual(['sub_1/dc_3']);
  expect(keys()).toEqual(['a']);
  const remaining = outbox.take(2_000);
  expect(keys(remaining)).toEqual(['b', 'c']);
  expect(remaining?.positions).toEqual({ 'channels/3': 9 });
  expect(outbox.take(2_000)).toBeUndefined();
});

test('a record written again after its removal was asked for is not removed', () => {
  const of = (id: string) => tombstone(id, 'deleted/1');
  outbox.appendLast(of('passed'));
  outbox.appendNow(of('kept'));
  expect(outbox.take(1_000_000)?.records).toEqual([of('kept')]);
  outbox.appendNow(of('kept'));
  outbox.appendLast(of('passed'));
  expect(outbox.take(1_000_000)?.records).toEqual([of('kept'), of('passed')]);
});

test('only the attempts of a deleted subscription are recorded', () => {
  outbox.complete(cursorOf('dc_1', { ...subscription, closed: true }), [attempt('rec_1')], 100);
  outbox.drain();
  expect(typesOf(outbox.take(1_000_000)?.records)).toEqual(['DeliveryAttempted']);
});

test('it is full when too much waits, hands that over at once, and has room again afterwards', () => {
  outbox.complete(cursorOf('dc_1'), [attempt('rec_1')], defaultLimits.pendingBytesMax);
  expect(outbox.isFull).toBe(true);
  expect(readies).toBe(1);
  outbox.take(1);
  expect(outbox.isFull).toBe(false);
});

test('what waits is written once the append that takes the last of it is on the log, and those before', async () => {
  const resolved: string[] = [];
  const written = (name: string): void => void outbox.whenWritten().then(() => resolved.push(name));
  for (const emitterId of ['dc_1', 'dc_2']) outbox.complete(cursorOf(emitterId), [attempt(emitterId)], 5_000);
  written('both');
  expect([outbox.take(6_000), outbox.take(6_000)].map((output) => output?.records.length)).toEqual([2, 2]);
  outbox.complete(cursorOf('dc_3'), [attempt('dc_3')], 100);
  written('a third');
  const commitOne = async (): Promise<readonly string[]> => {
    outbox.committed();
    await new Promise(setImmediate);
    return [...resolved];
  };
  expect(await commitOne()).toEqual([]);
  expect(await commitOne()).toEqual(['both']);
  expect(outbox.take(6_000)?.records).toHaveLength(2);
  written('nothing');
  expect(outbox.take(6_000)).toBeUndefined();
  expect(await commitOne()).toEqual(['both', 'a third', 'nothing']);
  written('nothing again');
  expect(outbox.take(6_000)).toBeUndefined();
  await new Promise(setImmediate);
  expect(resolved.at(-1)).toBe('nothing again');
});
