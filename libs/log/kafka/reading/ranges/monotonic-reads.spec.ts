import { MonotonicReads } from './monotonic-reads.ts';
import type { PartitionReader } from './partition-reader.ts';
import type { RawPage } from '../raw-page.ts';

const wide = { recordsMax: 10, bytesMax: 1_000 };
const empty = (next: number): RawPage => ({ messages: [], rest: [], next, end: next });
const full = (next: number): RawPage => ({ ...empty(next), messages: [{} as never] });

/** A partition that shows these ends and pages, one after the other, the last one again and again. */
function showing(ends: number[], pages: RawPage[]): MonotonicReads {
  const shown = <T>(all: T[]): T => (all.length > 1 ? all.shift() : all[0]) as T;
  const reader = { end: async () => shown(ends), page: async () => shown(pages) };
  return new MonotonicReads(reader as unknown as PartitionReader);
}

test('an end is waited for until it is as far as what was acknowledged, or read by anybody here', async () => {
  const known = showing([4, 4, 7], []);
  known.reaches('t', 0, 6);
  known.appended([{ topic: 't', partition: 0 } as never], [2]);
  expect(await known.end('t', 0)).toBe(7);
});

test('an end that was told once is not told lower by the next leader', async () => {
  const known = showing([9, 5, 5, 9], []);
  expect([await known.end('t', 0), await known.end('t', 0)]).toEqual([9, 9]);
});

test('a settled end is as far as the high watermark was when it was asked, and no further', async () => {
  const ends = [4, 6, 6, 9];
  const reader = { end: async () => ends.shift(), highWatermark: async () => 6 };
  expect(await new MonotonicReads(reader as unknown as PartitionReader).settledEnd('t', 0)).toBe(6);
});

test('an empty page is believed only where nothing is known to stand', async () => {
  const known = showing([5, 8], [empty(5), full(8)]);
  known.reaches('t', 0, 8);
  expect(await known.page('t', 0, 5, wide)).toEqual(full(8));
  expect((await showing([5], [empty(5)]).page('t', 0, 5, wide)).next).toBe(5);
});

test('an empty page below `to` is not believed, and one above it is', async () => {
  const known = showing([8], [empty(5)]);
  known.reaches('t', 0, 8);
  expect(await known.page('t', 0, 5, { ...wide, to: 5 })).toEqual(empty(5));
  await expect(known.page('t', 0, 5, { ...wide, to: 7 })).rejects.toMatchObject({ code: 'unavailable' });
});

test('what has been read here is known, and what is beyond the end is not', async () => {
  const known = showing([2, 3], [full(3), empty(100)]);
  await known.page('t', 0, 0, wide);
  await known.page('t', 0, 100, wide);
  expect(await known.end('t', 0)).toBe(3);
});
