// Loads who changed what lately, newest first, from the topics that record definitions.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { serviceNowMs } from '../api/clock/service-clock.ts';
import { get } from '../api/http.ts';
import type { HistoryPage, HistoryRecord } from '../api/records.ts';
import { readNewest, readPagesAfter } from './newest.ts';
import type { ReadPage, PageRequest, NewestRecords } from './newest.ts';
import { changeTextOf } from './change-texts.ts';

/** The topics that record changes of definitions; events and deliveries have pages of their own. */
const topics = ['workspaces', 'components', 'saves', 'listeners', 'connections'] as const;

/** Only what the page shows: the record of a component would bring its code. */
const fields = 'id,type,time,partitionkey,actor';

/** If there are more, a shorter time shows all of them; `pd history` has no such limit. */
const changesMax = 1_000;
const pageRecords = 1_000;
const refetchMs = 15_000;

export type Change = Pick<HistoryRecord, 'id' | 'type' | 'time' | 'partitionkey' | 'actor'>;

export interface Changes {
  /** Newest first. */
  readonly changes: readonly Change[];
  /** Not all of them are shown. */
  readonly isTruncated: boolean;
  /** Where to continue reading each topic. */
  readonly cursors: Readonly<Partial<Record<string, TopicCursor>>>;
}

/** A cursor is valid for one query only, which is identified by the epoch ms where it began. */
interface TopicCursor {
  readonly from: number;
  readonly cursor: string | undefined;
}

/** `spanMs`: how far back to look. */
export function useChanges(spanMs: number) {
  const queries = useQueryClient();
  const queryKey = ['changes', spanMs];
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => refreshChanges(queries.getQueryData<Changes>(queryKey), serviceNowMs() - spanMs, signal),
    refetchInterval: refetchMs,
  });
}

/** Adds to `previous` what is new, and drops what is older than `since`. */
async function refreshChanges(previous: Changes | undefined, since: number, signal: AbortSignal): Promise<Changes> {
  const cursors: Record<string, TopicCursor> = {};
  const changes: Change[] = [];
  let isTruncated = previous?.isTruncated ?? false;
  // Reads the topics one after another, because each page takes the service some work.
  for (const topic of topics) {
    const readPage = (request: PageRequest): Promise<HistoryPage> =>
      get('/v1/history', { query: { topic, ...request, limit: pageRecords, include: fields }, signal });
    const cursor = previous?.cursors[topic];
    const result =
      cursor === undefined
        ? await readNewest<Change>(readPage, { since, now: serviceNowMs(), wantedMax: changesMax, isWanted })
        : await readSince(readPage, cursor);
    changes.push(...result.records);
    cursors[topic] = { from: result.from, cursor: result.cursor };
    isTruncated ||= result.isTruncated;
  }
  changes.sort((one, other) => other.time.localeCompare(one.time));
  const merged = [...changes, ...(previous?.changes ?? [])].filter(({ time }) => Date.parse(time) >= since);
  return { changes: merged.slice(0, changesMax), isTruncated: isTruncated || merged.length > changesMax, cursors };
}

const isWanted = ({ type }: Change): boolean => changeTextOf(type) !== undefined;

async function readSince(readPage: ReadPage<Change>, { from, cursor }: TopicCursor): Promise<NewestRecords<Change>> {
  const { records, cursor: end, hasMore } = await readPagesAfter<Change>(readPage, { from, after: cursor }, isWanted);
  return { records, from, cursor: end, isTruncated: hasMore };
}
