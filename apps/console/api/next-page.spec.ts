import { shouldKeepSearching, nextCursor, pagesMax, searchedPagesMax } from './next-page.ts';

const page = (count: number, searched_to_ms?: number) => ({
  data: Array.from({ length: count }, () => ({})),
  page_info: {
    total_count: 99,
    count,
    start_cursor: 'a',
    end_cursor: 'b',
    ...(searched_to_ms === undefined ? {} : { searched_to_ms }),
  },
});

test('a full page leads to the next one, a short page is the last, and the number of pages is bounded', () => {
  expect(nextCursor(page(25), 1, 25)).toBe('b');
  expect(nextCursor(page(24), 1, 25)).toBeUndefined();
  expect(nextCursor(page(25), pagesMax, 25)).toBeUndefined();
});

test('a short page that says that there are more leads to the next one', () => {
  const { data, page_info } = page(3);
  expect(nextCursor({ data, page_info: { ...page_info, has_more: true } }, 1, 25)).toBe('b');
  expect(nextCursor({ data, page_info: { ...page_info, has_more: true } }, pagesMax, 25)).toBeUndefined();
});

test('when pages may end early, a list continues until everything is loaded or a page is empty', () => {
  expect(nextCursor(page(3), 1, 25, 3)).toBe('b');
  expect(nextCursor(page(25), 4, 25, 99)).toBeUndefined();
  expect(nextCursor(page(0), 4, 25, 90)).toBeUndefined();
});

test('a search continues after a short page, since each request searches only so much', () => {
  expect(nextCursor(page(0, 5), 1, 25)).toBe('b');
  expect(nextCursor(page(3, 5), pagesMax + 1, 25)).toBe('b');
});

test('a search loads pages by itself until it finds something, reaches the end, or has loaded many', () => {
  const empty = (count: number) => Array.from({ length: count }, () => page(0, 5));
  expect(shouldKeepSearching(empty(3))).toBe(true);
  expect(shouldKeepSearching([...empty(3), page(0)])).toBe(false);
  expect(shouldKeepSearching([...empty(3), page(1, 5)])).toBe(false);
  expect(shouldKeepSearching(empty(searchedPagesMax))).toBe(false);
  // The user has requested another page.
  expect(shouldKeepSearching(empty(searchedPagesMax + 1))).toBe(true);
  expect(shouldKeepSearching([])).toBe(false);
});
