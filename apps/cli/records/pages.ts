// Reads lists of the service page by page.
import type { Page, Paging } from '../../../libs/client/index.ts';

/** The largest page of the API. */
const pageMax = 100;

type ReadPage<T> = (paging: Paging) => Promise<Page<T>>;

/** A short page is the last one unless it was cut off. */
const isLast = (isShort: boolean, { has_more }: Page<unknown>['page_info']): boolean => isShort && has_more !== true;

/** Every record, newest first; a page is requested only when it is needed. */
export async function* readAll<T>(readPage: ReadPage<T>, limit = pageMax): AsyncGenerator<T> {
  let after: string | null = null;
  do {
    const { data, page_info }: Page<T> = await readPage(after === null ? { limit } : { limit, after });
    yield* data;
    after = isLast(data.length < limit, page_info) ? null : page_info.end_cursor;
  } while (after !== null);
}

export interface FoundRecords<T> {
  readonly records: readonly T[];
  /** The search has not reached the end: there may be more matches. */
  readonly mayHaveMore: boolean;
}

/** The first `count`, even if pages before the last are short. */
export async function readFirst<T>(readPage: ReadPage<T>, count: number): Promise<FoundRecords<T>> {
  const records: T[] = [];
  let after: string | null = null;
  do {
    const limit = Math.min(pageMax, count - records.length);
    if (limit <= 0) break;
    const { data, page_info }: Page<T> = await readPage(after === null ? { limit } : { limit, after });
    records.push(...data);
    after = page_info.end_cursor;
  } while (after !== null);
  return { records, mayHaveMore: after !== null };
}

export interface NewestRecords<T> {
  readonly records: readonly T[];
  /** The number of records on all pages. */
  readonly total: number;
}

/** The newest `count`, newest first. */
export async function readNewest<T>(readPage: ReadPage<T>, count: number): Promise<NewestRecords<T>> {
  const records: T[] = [];
  let after: string | null = null;
  let total = 0;
  do {
    // At least 1, because the first page also has the total.
    const limit = Math.min(pageMax, Math.max(count - records.length, 1));
    const { data, page_info }: Page<T> = await readPage(after === null ? { limit } : { limit, after });
    total = page_info.total_count;
    records.push(...data);
    after = isLast(data.length < limit, page_info) ? null : page_info.end_cursor;
  } while (after !== null && records.length < count);
  return { records: records.slice(0, count), total };
}
