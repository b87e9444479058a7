// Loads the events of a source: the list, new ones as they arrive, and one of them whole.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getPage } from '../http.ts';
import { gapBehind, merged, nothingStreamed, streamedOn } from './merging.ts';
import type { Streamed } from './merging.ts';
import { compareEventIds, cursorBefore, streamedEvent } from './event-records.ts';
import { useList } from '../paging.ts';
import type { Listed } from '../paging.ts';
import type { EventSummary } from '../records.ts';
import { useStream } from './stream.ts';
import type { Connection } from './stream.ts';

export interface LiveEvents {
  readonly list: Listed<EventSummary>;
  readonly connection: Connection | 'paused';
  /** How many events have arrived while paused. */
  readonly waiting: number;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Removes an event that is being deleted from what is shown, or all events. */
  readonly forget: (eventId?: string) => void;
}

interface Held {
  readonly newest: string;
  readonly shown: readonly EventSummary[];
  /** How many events the stream had brought by then. */
  readonly count: number;
  readonly isCut: boolean;
}

/** While paused, the stream continues, and its events wait until they are shown. */
export function useLiveEvents(sourceId: string): LiveEvents {
  const path = `/v1/sources/${sourceId}/event_summaries`;
  const [begin, setBegin] = useState<string>();
  const list = useList<EventSummary>(path, { begin });
  const queries = useQueryClient();
  const [streamed, setStreamed] = useState<Streamed<EventSummary>>(nothingStreamed);
  const [held, setHeld] = useState<Held>();
  const [gone, setGone] = useState<Gone>({ upTo: beforeAll, ids: new Set() });
  const isBegun = begin === undefined && list.isLoading;
  const stream = useStream(`/v1/sources/${sourceId}/sse`, {
    // A later page that fails to load does not stop the stream.
    enabled: !isBegun && (list.error === null || list.items.length > 0),
    after: list.items[0]?.id,
    onRecord: (text) => setStreamed((now) => streamedOn(now, streamedEvent(text))),
    // Lists again what arrived between the empty list and the start of the stream.
    onOpen: () => {
      if (list.items.length === 0) void queries.invalidateQueries({ queryKey: ['list', path] });
    },
  });
  const gap = gapBehind(streamed, begin ?? list.items[0]?.id ?? beforeAll, compareEventIds);
  const isCut = held === undefined ? gap !== undefined : held.isCut;
  const listed = isCut
    ? []
    : list.items.filter(({ id }) => held === undefined || compareEventIds(id, held.newest) <= 0);
  const items = merged(listed, held?.shown ?? streamed.records, (a, b) => compareEventIds(a.id, b.id)).filter((event) =>
    isLeft(event, gone),
  );
  const newest = items[0]?.id ?? beforeAll;
  const latest = streamed.records[0]?.id ?? beforeAll;
  const upTo = compareEventIds(latest, newest) > 0 ? latest : newest;
  return {
    list: {
      ...list,
      items,
      isLoading: isBegun,
      // After a gap, the list continues from there.
      hasMore: isCut || list.hasMore || (list.isLoading && !isBegun),
      isLoadingMore: list.isLoadingMore || (list.isLoading && !isBegun),
      loadMore: gap === undefined ? list.loadMore : () => setBegin(gap),
      total: totalOf(list, { items, isCut, begin }),
    },
    connection: held === undefined ? stream : 'paused',
    waiting: held === undefined ? 0 : streamed.count - held.count,
    pause: () => setHeld({ newest, shown: items, count: streamed.count, isCut }),
    resume: () => setHeld(undefined),
    forget: (id) => setGone(id === undefined ? { upTo, ids: new Set() } : { ...gone, ids: new Set(gone.ids).add(id) }),
  };
}

interface Shown {
  readonly items: readonly EventSummary[];
  readonly isCut: boolean;
  readonly begin: string | undefined;
}

/** Undefined: unknown, because more have arrived than were counted. */
function totalOf(list: Listed<EventSummary>, { items, isCut, begin }: Shown): number | undefined {
  if (list.total === undefined || isCut) return undefined;
  return begin === undefined ? list.total + Math.max(0, items.length - list.items.length) : list.total;
}

interface Gone {
  readonly upTo: string;
  readonly ids: ReadonlySet<string>;
}

/** An id that no event has and that sorts before all of them. */
const beforeAll = '0-0';

const isLeft = ({ id }: EventSummary, { upTo, ids }: Gone): boolean => compareEventIds(id, upTo) > 0 && !ids.has(id);

/** Null: it was deleted, or is no longer kept. */
async function wholeEvent(sourceId: string, eventId: string, signal: AbortSignal): Promise<EventSummary | null> {
  const query = { expand: 'event', limit: 1, before: cursorBefore(eventId) };
  const page = await getPage<EventSummary>(`/v1/sources/${sourceId}/event_summaries`, { query, signal });
  const [event] = page.data;
  return event?.id === eventId ? event : null;
}

/** `known`: the event as listed, whole unless it was cut. */
export function useEvent(
  sourceId: string,
  eventId: string,
  known: EventSummary | undefined,
): { readonly event: EventSummary | null | undefined; readonly error: unknown } {
  const isWhole = known !== undefined && known.truncated !== true;
  const asked = useQuery({
    queryKey: ['event', sourceId, eventId],
    queryFn: ({ signal }) => wholeEvent(sourceId, eventId, signal),
    enabled: !isWhole,
    staleTime: Infinity,
    gcTime: 60_000,
  });
  return isWhole ? { event: known, error: null } : { event: asked.data, error: asked.error };
}
