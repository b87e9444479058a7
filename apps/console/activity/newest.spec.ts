import { readNewest, readPagesAfter } from './newest.ts';
import type { ReadPage, PageRequest } from './newest.ts';

const pageRecords = 1_000;

/** A history of records at these times, which returns the oldest first. */
function historyOf(times: readonly number[]): { readonly ask: ReadPage<number>; readonly asked: PageRequest[] } {
  const asked: PageRequest[] = [];
  const ask: ReadPage<number> = async (question) => {
    asked.push(question);
    const { from, to = Infinity, after = '0' } = question;
    const chosen = times.filter((time) => time >= from && time < to);
    const begin = Number(after);
    const data = chosen.slice(begin, begin + pageRecords);
    const end = begin + data.length;
    return { data, page_info: { end_cursor: String(end), has_more: end < chosen.length } };
  };
  return { ask, asked };
}

const dayMs = 86_400_000;
const query = { since: 0, now: dayMs, wantedMax: 1_000, isWanted: () => true };
const evenly = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => (at * dayMs) / count);

test('a topic that can be read is read whole, in one question', async () => {
  const { ask, asked } = historyOf(evenly(2_500));
  const read = await readNewest(ask, query);
  expect(read).toMatchObject({ from: 0, cursor: '2500', isTruncated: false });
  expect(read.records).toHaveLength(2_500);
  expect(new Set(asked.map(({ from }) => from)).size).toBe(1);
});

test.each([
  ['evenly', evenly(100_000)],
  ['at once, long ago, and a few since', [...evenly(100_000).map((time) => time / 100), ...evenly(50)].sort(byTime)],
  [
    'hardly, and at once a moment ago',
    [...evenly(50), ...evenly(3_000).map((time) => dayMs - time / 1_000)].sort(byTime),
  ],
])('the newest of very many records are found, recorded %s', async (_, times) => {
  const { ask, asked } = historyOf(times);
  const { records: found, isTruncated: isCut } = await readNewest(ask, { ...query, wantedMax: 40 });
  expect(found.length).toBeGreaterThanOrEqual(40);
  expect(found).toEqual(times.slice(-found.length));
  expect(isCut).toBe(found.length < times.length);
  expect(asked.length).toBeLessThan(60);
});

test('what is wanted is found behind much that is not', async () => {
  const times = evenly(30_000);
  const wanted = new Set(times.filter((_, at) => at % 3_000 === 0));
  const { ask } = historyOf(times);
  const { records: found, isTruncated: isCut } = await readNewest(ask, {
    ...query,
    isWanted: (time) => wanted.has(time),
  });
  expect(found).toEqual([...wanted]);
  expect(isCut).toBe(false);
});

test('more in a second than can be read ends the search, and says that there are more', async () => {
  const { ask, asked } = historyOf(Array.from({ length: 20_000 }, () => dayMs - 1));
  const { isTruncated: isCut, cursor, from } = await readNewest(ask, query);
  expect({ isCut, cursor }).toEqual({ isCut: true, cursor: '5000' });
  expect(asked.length).toBeLessThan(60);
  const further = await readPagesAfter(ask, { from, after: cursor }, () => true);
  expect(further).toMatchObject({ cursor: '10000', hasMore: true });
});

function byTime(one: number, other: number): number {
  return one - other;
}
