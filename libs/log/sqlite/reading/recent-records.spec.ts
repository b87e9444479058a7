import type { StoredRecord } from '../../../domain/message.ts';
import { recordOf } from '../../../domain/record/samples.fake.ts';
import { sizes } from '../../../domain/sizes.ts';
import { cachedRecord } from './cached-record.ts';
import { headroomBytes, RecentRecords } from './recent-records.ts';

/** A quarter of the bytes that are kept. */
const quarter = (sizes.appendBytes + headroomBytes) / 4;
/** The position of a tail that has read nothing. */
const unread = (): number => 0;
const wide = { recordsMax: 1000, bytesMax: 64 * quarter };
const offsetsIn = (page: ReturnType<RecentRecords['read']>): readonly number[] | undefined =>
  page?.records.map(({ offset }) => offset);

function pushed(partitions: readonly number[], bytes = 10): RecentRecords {
  const recent = new RecentRecords('channels');
  for (const [offset, partition] of partitions.entries())
    recent.push(partition, [cachedRecord(offset, bytes, `{"n":${offset}}`)], unread);
  return recent;
}

test('returns records of a partition from any offset it has seen', () => {
  const recent = pushed([1, 2, 1, 2, 1]);
  expect(offsetsIn(recent.read(1, 0, 5, wide))).toEqual([0, 2, 4]);
  expect(offsetsIn(recent.read(1, 1, 5, wide))).toEqual([2, 4]);
  expect(offsetsIn(recent.read(2, 1, 3, wide))).toEqual([1]);
});

test('returns undefined for offsets it has not seen', () => {
  const recent = pushed([2, 2, 1]);
  expect(recent.read(1, 1, 3, wide)).toBeUndefined();
  expect(recent.read(3, 0, 3, wide)).toBeUndefined();
});

test('returns records from the end that the partition had before them', () => {
  const recent = new RecentRecords('channels');
  recent.push(1, [cachedRecord(7, 10, '{}')], unread, 3);
  recent.push(1, [cachedRecord(9, 10, '{}')], unread, 8);
  expect(recent.read(1, 2, 10, wide)).toBeUndefined();
  expect(offsetsIn(recent.read(1, 3, 10, wide))).toEqual([7, 9]);
});

test('drops the oldest records of the topic when full, and returns undefined for them', () => {
  const recent = pushed([1, 2, 1, 1, 1, 1], quarter);
  expect(recent.read(1, 0, 6, wide)).toBeUndefined();
  expect(recent.read(2, 1, 6, wide)).toBeUndefined();
  expect(offsetsIn(recent.read(1, 2, 6, wide))).toEqual([2, 3, 4, 5]);
});

test('drops records that every tail has read, except the newest', () => {
  const recent = new RecentRecords('channels');
  const bytes = 64 * 1024;
  for (let offset = 0; offset < 32; offset++) recent.push(1, [cachedRecord(offset, bytes, '{}')], () => offset);
  expect(recent.read(1, 27, 32, wide)).toBeUndefined();
  expect(offsetsIn(recent.read(1, 28, 32, wide))).toEqual([28, 29, 30, 31]);
});

test('keeps records that one tail has not read, and later ones of all partitions', () => {
  const recent = new RecentRecords('channels');
  const bytes = 64 * 1024;
  for (let offset = 0; offset < 32; offset++)
    recent.push(offset % 2, [cachedRecord(offset, bytes, '{}')], () => (offset % 2 === 0 ? 8 : offset));
  expect(recent.read(0, 6, 32, wide)).toBeUndefined();
  expect(offsetsIn(recent.read(0, 8, 32, wide))?.[0]).toBe(8);
  expect(offsetsIn(recent.read(1, 9, 32, wide))?.[0]).toBe(9);
});

test('drops records that a tail has read since they arrived, also in a partition without new ones', () => {
  const recent = new RecentRecords('channels');
  const bytes = 64 * 1024;
  let readInQuiet = 0;
  recent.push(0, [cachedRecord(0, bytes, '{}')], () => readInQuiet);
  const pushOne = (offset: number): void => recent.push(1, [cachedRecord(offset, bytes, '{}')], () => offset);
  for (let offset = 1; offset < 32; offset++) pushOne(offset);
  expect(recent.read(1, 1, 32, wide)?.records).toHaveLength(31);
  readInQuiet = 1;
  pushOne(32);
  expect(recent.read(1, 28, 33, wide)).toBeUndefined();
  expect(offsetsIn(recent.read(1, 29, 33, wide))).toEqual([29, 30, 31, 32]);
});

test('after a skipped record, returns records only from the next one on', () => {
  const recent = pushed([1, 2, 1]);
  recent.skip(1);
  recent.push(1, [cachedRecord(4, 10, '{}')], unread);
  expect(recent.read(1, 0, 5, wide)).toBeUndefined();
  expect(recent.read(1, 3, 5, wide)).toBeUndefined();
  expect(offsetsIn(recent.read(1, 4, 5, wide))).toEqual([4]);
  expect(offsetsIn(recent.read(2, 1, 5, wide))).toEqual([1]);
});

test('dropping the entries of a skipped partition does not affect other partitions', () => {
  const recent = pushed([1, 1, 2], quarter);
  recent.skip(1);
  for (let offset = 4; offset < 8; offset++) recent.push(2, [cachedRecord(offset, quarter, '{}')], unread);
  expect(offsetsIn(recent.read(2, 4, 8, wide))).toEqual([4, 5, 6, 7]);
});

test('a record larger than the whole memory is not kept', () => {
  const recent = pushed([1], 100 * quarter);
  expect(recent.read(1, 0, 1, wide)).toBeUndefined();
  recent.push(1, [cachedRecord(1, 10, '{}')], unread);
  expect(offsetsIn(recent.read(1, 1, 2, wide))).toEqual([1]);
});

test('a record is parsed once for all its readers', () => {
  const recent = pushed([1]);
  expect(recent.read(1, 0, 1, wide)?.records[0]).toBe(recent.read(1, 0, 1, wide)?.records[0]);
});

test('returns the right records after many drops', () => {
  const recent = new RecentRecords('channels');
  for (let offset = 0; offset < 10_000; offset++)
    recent.push(offset % 3, [cachedRecord(offset, quarter / 16, '{}')], unread);
  expect(offsetsIn(recent.read(0, 9_990, 10_000, wide))).toEqual([9_990, 9_993, 9_996, 9_999]);
  expect(recent.read(0, 9_900, 10_000, wide)).toBeUndefined();
});

test('a record kept as an object is returned with its new position, and as the same object to every reader', () => {
  const recent = pushed([1]);
  const record = { ...recordOf('Tested', { n: 1 }), topic: 'runs', partition: 7, offset: 9 };
  recent.push(1, [cachedRecord(1, 10, record)], unread);
  const read = (): StoredRecord | undefined => recent.read(1, 1, 2, wide)?.records[0];
  expect(read()).toEqual({ ...record, topic: 'channels', partition: 1, offset: 1 });
  expect(read()?.data).toBe(record.data);
  expect(read()).toBe(read());
});
