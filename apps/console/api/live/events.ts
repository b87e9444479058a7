// Loads the events of a source: the list, new ones as they arrive, and one of them whole.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getPage } from '../http.ts';
import { gapCursor, mergeRecords, emptyStream, addStreamed } from './merging.ts';
import type { StreamedRecords } from './merging.ts';
import { compareEventIds, cursorBefore, parseStreamedEvent } from './event-records.ts';
import { useList } from '../paging.ts';
import type { PagedList } from '../paging.ts';
import type { EventSummary } from '../records.ts';
import { useStream } from './stream.ts';
import type { Connection } from './stream.ts';

export interface LiveEvents {
  readonly list: PagedList<EventSummary>;
  readonly connection: Connection | 'paused';
  /** How many events have arrived while paused. */
  readonly waitingCount: number;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Removes an event that is being deleted from what is shown, or all events. */
  readonly forget: (eventId?: string) => void;
}

interface PausedView {
  readonly newest: string;
  readonly shown: readonly EventSummary[];
  /** How many events the stream had brought by then. */
  readonly count: number;
  readonly hasGap: boolean;
}

/** While paused, the stream continues, and its events wait until they are shown. */
export function useLiveEvents(sourceId: string): LiveEvents {
  const path = `/v1/sources/${sourceId}/event_summaries`;
  const [begin, setBegin] = useState<string>();
  const list = useList<EventSummary>(path, { begin });
  const queries = useQueryClient();
  const [streamed, setStreamed] = useState<StreamedRecords<EventSummary>>(emptyStream);
  const [paused, setPaused] = useState<PausedView>();
  const [removed, setRemoved] = useState<RemovedEvents>({ upTo: beforeAll, ids: new Set() });
  const isFirstLoad = begin === undefined && list.isLoading;
  const stream = useStream(`/v1/sources/${sourceId}/sse`, {
    // A later page that fails to load does not stop the stream.
    enabled: !isFirstLoad && (list.error === null || list.items.length > 0),
    after: list.items[0]?.id,
    onRecords: (texts) => setStreamed((now) => texts.map(parseStreamedEvent).reduce(addStreamed, now)),
    // Lists again what arrived between the empty list and the start of the stream.
    onOpen: () => {
      if (list.items.length === 0) void queries.invalidateQueries({ queryKey: ['list', path] });
    },
  });
  const gap = gapCursor(streamed, begin ?? list.items[0]?.id ?? beforeAll, compareEventIds);
  const hasGap = paused === undefined ? gap !== undefined : paused.hasGap;
  const listed = hasGap
    ? []
    : list.items.filter(({ id }) => paused === undefined || compareEventIds(id, paused.newest) <= 0);
  const items = mergeRecords(listed, paused?.shown ?? streamed.records, (a, b) => compareEventIds(a.id, b.id)).filter(
    (event) => isRemaining(event, removed),
  );
  const newest = items[0]?.id ?? beforeAll;
  const latest = streamed.records[0]?.id ?? beforeAll;
  const upTo = compareEventIds(latest, newest) > 0 ? latest : newest;
  return {
    list: {
      ...list,
      items,
      isLoading: isFirstLoad,
      // After a gap, the list continues from there.
      hasMore: hasGap || list.hasMore || (list.isLoading && !isFirstLoad),
      isLoadingMore: list.isLoadingMore || (list.isLoading && !isFirstLoad),
      loadMore: gap === undefined ? list.loadMore : () => setBegin(gap),
      total: totalOf(list, { items, hasGap, begin }),
    },
    connection: paused === undefined ? stream : 'paused',
    waitingCount: paused === undefined ? 0 : streamed.count - paused.count,
    pause: () => setPaused({ newest, shown: items, count: streamed.count, hasGap }),
    resume: () => setPaused(undefined),
    forget: (id) =>
      setRemoved(id === undefined ? { upTo, ids: new Set() } : { ...removed, ids: new Set(removed.ids).add(id) }),
  };
}

interface ShownEvents {
  readonly items: readonly EventSummary[];
  readonly hasGap: boolean;
  readonly begin: string | undefined;
}

/** Undefined: unknown, because more have arrived than were counted. */
function totalOf(list: PagedList<EventSummary>, { items, hasGap, begin }: ShownEvents): number | undefined {
  if (list.total === undefined || hasGap) return undefined;
  return begin === undefined ? list.total + Math.max(0, items.length - list.items.length) : list.total;
}

interface RemovedEvents {
  readonly upTo: string;
  readonly ids: ReadonlySet<string>;
}

/** An id that no event has and that sorts before all of them. */
const beforeAll = '0-0';

const isRemaining = ({ id }: EventSummary, { upTo, ids }: RemovedEvents): boolean =>
  compareEventIds(id, upTo) > 0 && !ids.has(id);

/** Null: it was deleted, or is no longer kept. */
async function fetchFullEvent(sourceId: string, eventId: string, signal: AbortSignal): Promise<EventSummary | null> {
  const query = { expand: 'event', limit: 1, before: cursorBefore(eventId) };
  const page = await getPage<EventSummary>(`/v1/sources/${sourceId}/event_summaries`, { query, signal });
  const [event] = page.data;
  return event?.id === eventId ? event : null;
}

/** `listed`: the event as listed, whole unless it was cut. */
export function useEvent(
  sourceId: string,
  eventId: string,
  listed: EventSummary | undefined,
): { readonly event: EventSummary | null | undefined; readonly error: unknown } {
  const isComplete = listed !== undefined && listed.truncated !== true;
  const query = useQuery({
    queryKey: ['event', sourceId, eventId],
    queryFn: ({ signal }) => fetchFullEvent(sourceId, eventId, signal),
    enabled: !isComplete,
    staleTime: Infinity,
    gcTime: 60_000,
  });
  return isComplete ? { event: listed, error: null } : { event: query.data, error: query.error };
}
