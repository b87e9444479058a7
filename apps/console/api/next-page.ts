// Where the next page of a list begins, and when there is none.
import type { Page } from './records.ts';

export const pageSize = 25;
/** More rows than anybody scrolls through; beyond this a search leads further. */
export const pagesMax = 40;

/** Undefined: that was the last one. */
export function nextCursor({ page_info, data }: Page<unknown>, pages: number, size: number): string | undefined {
  if (data.length < size || pages >= pagesMax) return undefined;
  return page_info.end_cursor ?? undefined;
}
