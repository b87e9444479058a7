// The events of a source: listed, as they come, and one of them whole.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../http.ts';
import { merged, pushed } from './merging.ts';
import { compareEventIds, cursorBefore, streamedEvent } from './event-records.ts';
import { useList } from '../paging.ts';
import type { Listed } from '../paging.ts';
import type { EventSummary, Page } from '../records.ts';
import { useStream } from './stream.ts';
import type { Connection } from './stream.ts';

export interface LiveEvents {
  readonly list: Listed<EventSummary>;
  readonly connection: Connection | 'paused';
  /** Events that came while it was paused. */
  readonly waiting: number;
  readonly pause: () => void;
  readonly resume: () => void;
  /** An event that is being deleted, or all that are there, leaves at once. */
  readonly forget: (eventId?: string) => void;
}

/** While it is paused the stream continues and what it brings waits, so that nothing is missed. */
export function useLiveEvents(sourceId: string): LiveEvents {
  const path = `/v1/sources/${sourceId}/event_summaries`;
  const list = useList<EventSummary>(path);
  const queries = useQueryClient();
  const [streamed, setStreamed] = useState<readonly EventSummary[]>([]);
  const [heldAt, setHeldAt] = useState<string>();
  const [gone, setGone] = useState<Gone>({ upTo: beforeAll, ids: new Set() });
  const stream = useStream(`/v1/sources/${sourceId}/sse`, {
    enabled: !list.isLoading && list.error === null,
    after: list.items[0]?.id,
    onRecord: (text) => setStreamed((now) => pushed(now, streamedEvent(text))),
    // What came between an empty list and the stream's begin.
    onOpen: () => {
      if (list.items.length === 0) void queries.invalidateQueries({ queryKey: ['list', path] });
    },
  });
  const all = merged(list.items, streamed, (a, b) => compareEventIds(a.id, b.id)).filter((event) =>
    isLeft(event, gone),
  );
  const items = heldAt === undefined ? all : all.filter(({ id }) => compareEventIds(id, heldAt) <= 0);
  const newest = all[0]?.id ?? beforeAll;
  return {
    list: { ...list, items, total: list.total === undefined ? undefined : list.total + all.length - list.items.length },
    connection: heldAt === undefined ? stream : 'paused',
    waiting: all.length - items.length,
    pause: () => setHeldAt(newest),
    resume: () => setHeldAt(undefined),
    forget: (id) =>
      setGone(id === undefined ? { upTo: newest, ids: new Set() } : { ...gone, ids: new Set(gone.ids).add(id) }),
  };
}

interface Gone {
  readonly upTo: string;
  readonly ids: ReadonlySet<string>;
}

/** An id that no event has: it stands before all of them. */
const beforeAll = '0-0';

const isLeft = ({ id }: EventSummary, { upTo, ids }: Gone): boolean => compareEventIds(id, upTo) > 0 && !ids.has(id);

/** Null: it was deleted, or is no longer kept. */
async function wholeEvent(sourceId: string, eventId: string, signal: AbortSignal): Promise<EventSummary | null> {
  const query = { expand: 'event', limit: 1, before: cursorBefore(eventId) };
  const page = await get<Page<EventSummary>>(`/v1/sources/${sourceId}/event_summaries`, { query, signal });
  const [event] = page.data;
  return event?.id === eventId ? event : null;
}

/** `known`: as the list shows it, whole unless it was cut. */
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
