// Who changed what lately: the facts of the topics that tell of definitions, newest first.
import { useQuery } from '@tanstack/react-query';
import { get } from '../api/http.ts';
import type { HistoryPage, HistoryRecord } from '../api/records.ts';
import { deedOf } from './words.ts';

/** Where changes of definitions are told; of events and deliveries there are pages of their own. */
const topics = ['workspaces', 'components', 'saves', 'listeners', 'connections'] as const;

/** Beyond this a shorter time shows all; `pd history` shows more. */
const changesMax = 1_000;
const pageRecords = 1_000;
const pagesMax = 20;
const refetchMs = 15_000;

export interface Changes {
  readonly changes: readonly HistoryRecord[];
  /** Not all of them are shown. */
  readonly isCut: boolean;
}

/** `spanMs`: how far back. */
export const useChanges = (spanMs: number) =>
  useQuery({
    queryKey: ['changes', spanMs],
    queryFn: ({ signal }) => changesSince(Date.now() - spanMs, signal),
    refetchInterval: refetchMs,
  });

/** One topic after the other: each page keeps the service busy for a moment. */
async function changesSince(from: number, signal: AbortSignal): Promise<Changes> {
  const found: HistoryRecord[] = [];
  let isCut = false;
  for (const topic of topics) {
    let after: string | undefined;
    let hasMore = true;
    for (let pages = 0; hasMore && pages < pagesMax; pages++) {
      const query = { topic, from, limit: pageRecords, after };
      const { data, page_info }: HistoryPage = await get('/v1/history', { query, signal });
      found.push(...data.filter(({ type }) => deedOf(type) !== undefined));
      after = page_info.end_cursor;
      hasMore = page_info.has_more;
    }
    isCut ||= hasMore;
  }
  found.sort((one, other) => other.time.localeCompare(one.time));
  return { changes: found.slice(0, changesMax), isCut: isCut || found.length > changesMax };
}
