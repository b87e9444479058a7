// Looks up the names of sources and webhooks for records that have only their ids.
import { useQueries } from '@tanstack/react-query';
import type { UseQueryOptions } from '@tanstack/react-query';
import { get } from './http.ts';
import { useList } from './paging.ts';
import type { PagedList } from './paging.ts';
import type { Source, Webhook } from './records.ts';

/** The newest of each kind: two requests bring their names. */
const listedMax = 100;
/** Others are requested one by one, up to this many; the rest are shown by their ids. */
const lookupsMax = 50;
const freshMs = 60_000;

export interface Names {
  readonly sources: readonly Source[];
  readonly webhooks: readonly Webhook[];
  /** There are no others. */
  readonly isListComplete: boolean;
  readonly isLoading: boolean;
  /** Null: both lists are loaded, or are loading. */
  readonly error: unknown;
  readonly nameOf: (id: string) => string;
}

export const webhookName = ({ name, url }: Webhook): string => name ?? url;

/** `ids`: the ids that are shown, which need not be among the newest. */
export function useNames(ids: readonly string[] = []): Names {
  const query = { limit: listedMax };
  const listed = {
    sources: useList<Source>('/v1/sources', { query, refetchMs: freshMs }),
    webhooks: useList<Webhook>('/v1/webhooks', { query, refetchMs: freshMs }),
  };
  const [sources, webhooks] = [listed.sources.items, listed.webhooks.items];
  const names = new Map<string, string>([
    ['dc_*', 'Every source'],
    ...sources.map(({ id, name }) => [id, name ?? id] as const),
    ...webhooks.map((webhook) => [webhook.id, webhookName(webhook)] as const),
  ]);
  const unlisted = ids.filter((id) => !isComplete(id.startsWith('wh_') ? listed.webhooks : listed.sources));
  for (const one of useUnlistedRecords(unlisted, names))
    names.set(one.id, 'url' in one ? webhookName(one) : (one.name ?? one.id));
  const isLoading = listed.sources.isLoading || listed.webhooks.isLoading;
  const error = listed.sources.error ?? listed.webhooks.error;
  const isListComplete = isComplete(listed.sources) && isComplete(listed.webhooks);
  return { sources, webhooks, isListComplete, isLoading, error, nameOf: (id) => names.get(id) ?? id };
}

/** An id that is not on a complete list was deleted: its name need not be requested. */
const isComplete = ({ items, total }: Pick<PagedList<unknown>, 'items' | 'total'>): boolean =>
  total !== undefined && total <= items.length;

function useUnlistedRecords(
  ids: readonly string[],
  knownNames: ReadonlyMap<string, string>,
): readonly (Source | Webhook)[] {
  const missing = [...new Set(ids)]
    .filter((id) => !knownNames.has(id) && /^(?:dc|wh)_\w+$/.test(id))
    .slice(0, lookupsMax);
  const results = useQueries({ queries: knownNames.size > 1 ? missing.map(recordQuery) : [] });
  return results.flatMap(({ data }) => data ?? []);
}

/** The same query as that of `useRecord`. */
function recordQuery(id: string): UseQueryOptions<Source | Webhook> {
  const path = `/v1/${id.startsWith('wh_') ? 'webhooks' : 'sources'}/${encodeURIComponent(id)}`;
  return {
    queryKey: ['record', path],
    queryFn: async ({ signal }) => (await get<{ readonly data: Source | Webhook }>(path, { signal })).data,
    staleTime: freshMs,
  };
}
