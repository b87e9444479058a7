// Who changed what lately: the facts of the topics that tell of definitions, newest first.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { get } from '../api/http.ts';
import type { HistoryPage, HistoryRecord } from '../api/records.ts';
import { deedOf } from './words.ts';

/** Where changes of definitions are told; of events and deliveries there are pages of their own. */
const topics = ['workspaces', 'components', 'saves', 'listeners', 'connections'] as const;

/** All that the page shows: a record of a component holds its code. */
const fields = 'id,type,time,partitionkey,actor';

/** Beyond this a shorter time shows all; `pd history` shows more. */
const changesMax = 1_000;
const pageRecords = 1_000;
const pagesMax = 20;
const refetchMs = 15_000;

export type Change = Pick<HistoryRecord, 'id' | 'type' | 'time' | 'partitionkey' | 'actor'>;

export interface Changes {
  /** Newest first. */
  readonly changes: readonly Change[];
  /** Not all of them are shown. */
  readonly isCut: boolean;
  /** Where the questions began, epoch ms: a cursor is good for one question. */
  readonly from: number;
  /** Where each topic is read on. */
  readonly cursors: Readonly<Partial<Record<string, string>>>;
}

/** `spanMs`: how far back. */
export function useChanges(spanMs: number) {
  const queries = useQueryClient();
  const queryKey = ['changes', spanMs];
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => readOn(queries.getQueryData<Changes>(queryKey), Date.now() - spanMs, signal),
    refetchInterval: refetchMs,
  });
}

/** What has come since `known`, and of that what is not older than `since`. */
async function readOn(known: Changes | undefined, since: number, signal: AbortSignal): Promise<Changes> {
  const from = known?.from ?? since;
  const cursors = { ...known?.cursors };
  const found: Change[] = [];
  let isCut = known?.isCut ?? false;
  // One topic after the other: each page keeps the service busy for a moment.
  for (const topic of topics) {
    let hasMore = true;
    for (let pages = 0; hasMore && pages < pagesMax; pages++) {
      const query = { topic, from, limit: pageRecords, after: cursors[topic], include: fields };
      const { data, page_info }: HistoryPage = await get('/v1/history', { query, signal });
      found.push(...data.filter(({ type }) => deedOf(type) !== undefined));
      cursors[topic] = page_info.end_cursor;
      hasMore = page_info.has_more;
    }
    isCut ||= hasMore;
  }
  found.sort((one, other) => other.time.localeCompare(one.time));
  const all = [...found, ...(known?.changes ?? [])].filter(({ time }) => Date.parse(time) >= since);
  return { changes: all.slice(0, changesMax), isCut: isCut || all.length > changesMax, from, cursors };
}
