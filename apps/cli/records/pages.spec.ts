import type { Paging } from '../../../libs/client/index.ts';
import { readAll, readNewest } from './pages.ts';

/** Ten numbers, of which a page has three at most. */
async function numbers({ limit = 10, after = '0' }: Paging) {
  const from = Number(after);
  const data = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].slice(from, from + Math.min(3, limit));
  const isCut = limit > 3 && data.length === 3 ? { has_more: true as const } : {};
  const cursors = { start_cursor: `${from}`, end_cursor: data.length === 0 ? null : `${from + data.length}` };
  return { data, page_info: { total_count: 10, count: data.length, ...cursors, ...isCut } };
}

test('a list continues after a page that was cut before its limit', async () => {
  const found: number[] = [];
  for await (const one of readAll(numbers)) found.push(one);
  expect(found).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(await readNewest(numbers, 7)).toEqual({ records: [0, 1, 2, 3, 4, 5, 6], total: 10 });
});
