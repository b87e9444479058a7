// Finds where the next page of a list begins, if there is one.
import type { Page } from './records.ts';

export const pageSize = 25;
/** More rows than anybody scrolls through; a search leads to what comes after them. */
export const pagesMax = 40;
/** Pages of a search that are loaded automatically while nothing is found: 20,000 records, a few seconds. */
export const searchedPagesMax = 20;

/**
 * Undefined: that was the last one. `loaded`: how many records all pages so far have, for a list whose pages may end
 * before they are full and do not say so; without it a short page is the last one, unless it says that there are more.
 */
export function nextCursor(
  { page_info, data }: Page<unknown>,
  pages: number,
  size: number,
  loaded?: number,
): string | undefined {
  const { end_cursor, searched_to_ms, has_more = false, total_count } = page_info;
  // A search whose request has reached its bound always continues: nobody scrolls through its pages.
  if (searched_to_ms !== undefined) return end_cursor ?? undefined;
  const isShort = data.length < size && !has_more;
  const isLast = loaded === undefined ? isShort : data.length === 0 || loaded >= total_count;
  if (isLast || pages >= pagesMax) return undefined;
  return end_cursor ?? undefined;
}

/** Whether a search continues automatically: it has found nothing yet, and has not continued for long. */
export function shouldKeepSearching(pages: readonly Page<unknown>[]): boolean {
  const isEmpty = pages.every(({ data }) => data.length === 0);
  return isEmpty && pages.at(-1)?.page_info.searched_to_ms !== undefined && pages.length % searchedPagesMax !== 0;
}
