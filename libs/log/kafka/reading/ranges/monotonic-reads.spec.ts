import { MonotonicReads } from './monotonic-reads.ts';
import type { PartitionReader } from './partition-reader.ts';
import type { RawPage } from '../raw-page.ts';

const wide = { recordsMax: 10, bytesMax: 1_000 };
const empty = (next: number): RawPage => ({ messages: [], remainder: [], next, end: next });
const full = (next: number): RawPage => ({ ...empty(next), messages: [{} as never] });

/** A partition that shows these ends and pages, one after the other, the last one again and again. */
function showing(ends: number[], pages: RawPage[]): MonotonicReads {
  const nextOf = <T>(all: T[]): T => (all.length > 1 ? all.shift() : all[0]) as T;
  const reader = { end: async () => nextOf(ends), page: async () => nextOf(pages) };
  return new MonotonicReads(reader as unknown as PartitionReader);
}

test('the end is awaited until it covers everything acknowledged or read in this process', async () => {
  const known = showing([4, 4, 7], []);
  known.raiseKnownEnd('t', 0, 6);
  known.recordAppended([{ topic: 't', partition: 0 } as never], [2]);
  expect(await known.end('t', 0)).toBe(7);
});

test('the end never goes back when the leader changes', async () => {
  const known = showing([9, 5, 5, 9], []);
  expect([await known.end('t', 0), await known.end('t', 0)]).toEqual([9, 9]);
});

test('the settled end reaches the high watermark at the time of the call, and no further', async () => {
  const ends = [4, 6, 6, 9];
  const reader = { end: async () => ends.shift(), highWatermark: async () => 6 };
  expect(await new MonotonicReads(reader as unknown as PartitionReader).settledEnd('t', 0)).toBe(6);
});

test('an empty page is trusted only where no record is known to exist', async () => {
  const known = showing([5, 8], [empty(5), full(8)]);
  known.raiseKnownEnd('t', 0, 8);
  expect(await known.page('t', 0, 5, wide)).toEqual(full(8));
  expect((await showing([5], [empty(5)]).page('t', 0, 5, wide)).next).toBe(5);
});

test('an empty page is refused if a known record lies below `to`, and accepted otherwise', async () => {
  const known = showing([8], [empty(5)]);
  known.raiseKnownEnd('t', 0, 8);
  expect(await known.page('t', 0, 5, { ...wide, to: 5 })).toEqual(empty(5));
  await expect(known.page('t', 0, 5, { ...wide, to: 7 })).rejects.toMatchObject({ code: 'unavailable' });
});

test('records that were read raise the known end, an empty page beyond the end does not', async () => {
  const known = showing([2, 3], [full(3), empty(100)]);
  await known.page('t', 0, 0, wide);
  await known.page('t', 0, 100, wide);
  expect(await known.end('t', 0)).toBe(3);
});
