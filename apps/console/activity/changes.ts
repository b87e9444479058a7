// Loads who changed what lately, newest first, from the topics that record definitions.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { get } from '../api/http.ts';
import type { HistoryPage, HistoryRecord } from '../api/records.ts';
import { readNewest, readOn } from './newest.ts';
import type { Ask, Asked, Newest } from './newest.ts';
import { deedOf } from './words.ts';

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
  readonly isCut: boolean;
  /** Where to continue reading each topic. */
  readonly places: Readonly<Partial<Record<string, Place>>>;
}

/** A cursor is valid for one query only, which is identified by the epoch ms where it began. */
interface Place {
  readonly from: number;
  readonly cursor: string | undefined;
}

/** `spanMs`: how far back to look. */
export function useChanges(spanMs: number) {
  const queries = useQueryClient();
  const queryKey = ['changes', spanMs];
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => refreshed(queries.getQueryData<Changes>(queryKey), Date.now() - spanMs, signal),
    refetchInterval: refetchMs,
  });
}

/** Adds to `known` what is new, and drops what is older than `since`. */
async function refreshed(known: Changes | undefined, since: number, signal: AbortSignal): Promise<Changes> {
  const places: Record<string, Place> = {};
  const found: Change[] = [];
  let isCut = known?.isCut ?? false;
  // Reads the topics one after another, because each page takes the service some work.
  for (const topic of topics) {
    const ask = (asked: Asked): Promise<HistoryPage> =>
      get('/v1/history', { query: { topic, ...asked, limit: pageRecords, include: fields }, signal });
    const place = known?.places[topic];
    const read =
      place === undefined
        ? await readNewest<Change>(ask, { since, now: Date.now(), enough: changesMax, isWanted })
        : await readSince(ask, place);
    found.push(...read.found);
    places[topic] = { from: read.from, cursor: read.cursor };
    isCut ||= read.isCut;
  }
  found.sort((one, other) => other.time.localeCompare(one.time));
  const all = [...found, ...(known?.changes ?? [])].filter(({ time }) => Date.parse(time) >= since);
  return { changes: all.slice(0, changesMax), isCut: isCut || all.length > changesMax, places };
}

const isWanted = ({ type }: Change): boolean => deedOf(type) !== undefined;

async function readSince(ask: Ask<Change>, { from, cursor }: Place): Promise<Newest<Change>> {
  const { found, cursor: end, hasMore } = await readOn<Change>(ask, { from, after: cursor }, isWanted);
  return { found, from, cursor: end, isCut: hasMore };
}
