// Loads lists page by page: a list grows at its end, and stays as it is while newer records arrive.
import { useEffect } from 'react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getPage } from './http.ts';
import type { RequestOptions } from './http.ts';
import { shouldKeepSearching, nextCursor, pageSize } from './next-page.ts';
import type { Page } from './records.ts';

export interface PagedList<T> {
  readonly items: readonly T[];
  readonly total: number | undefined;
  /** How far back a search has looked, epoch ms; undefined: it has looked at everything, or the list is not a search. */
  readonly searchedToMs: number | undefined;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

interface ListOptions {
  readonly query?: RequestOptions['query'];
  readonly refetchMs?: number;
  readonly enabled?: boolean;
  /** A page can end before it is full, at a number of bytes, without saying so. */
  readonly endsByBytes?: boolean;
  /** The cursor after which the first page begins; absent: it begins with the newest record. */
  readonly begin?: string | undefined;
}

const isSinglePage = ({
  state,
}: {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined };
}): boolean => (state.data?.pages.length ?? 0) <= 1;

/** The query for the pages of a list. */
const pagesQuery = <T>(
  path: string,
  query: NonNullable<RequestOptions['query']>,
  { endsByBytes = false, begin }: ListOptions,
) => ({
  queryKey: ['list', path, query, ...(begin === undefined ? [] : [begin])],
  queryFn: ({ pageParam, signal }: { readonly pageParam: string | undefined; readonly signal: AbortSignal }) =>
    getPage<T>(path, { query: { limit: pageSize, ...query, after: pageParam }, signal }),
  initialPageParam: begin,
  getNextPageParam: (last: Page<T>, pages: readonly Page<T>[]) =>
    nextCursor(
      last,
      pages.length,
      Number(query['limit'] ?? pageSize),
      endsByBytes ? pages.reduce((loaded, { data }) => loaded + data.length, 0) : undefined,
    ),
});

/** Loads a list early that a page will show once it knows something else. Undefined: none. */
export function useListPrefetch(path: string | undefined): void {
  const queries = useQueryClient();
  if (path === undefined) return;
  const pages = pagesQuery(path, {}, {});
  if (queries.getQueryState(pages.queryKey) === undefined) void queries.prefetchInfiniteQuery(pages);
}

/** Only a list of one page is refreshed automatically: what the user has paged to keeps its place. */
export function useList<T>(path: string, options: ListOptions = {}): PagedList<T> {
  const { query = {}, refetchMs, enabled = true } = options;
  const list = useInfiniteQuery({
    ...pagesQuery<T>(path, query, options),
    enabled,
    refetchInterval: (listQuery) => (isSinglePage(listQuery) ? (refetchMs ?? false) : false),
    refetchOnWindowFocus: isSinglePage,
    refetchOnReconnect: isSinglePage,
  });
  const { fetchNextPage, isFetching, isError } = list;
  const isSearching = !isError && shouldKeepSearching(list.data?.pages ?? []);
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage();
  }, [isSearching, isFetching, fetchNextPage]);
  return {
    items: list.data?.pages.flatMap(({ data }) => data) ?? [],
    total: list.data?.pages[0]?.page_info.total_count,
    searchedToMs: list.data?.pages.at(-1)?.page_info.searched_to_ms,
    isLoading: list.isPending || isSearching,
    error: list.error,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    loadMore: () => void list.fetchNextPage(),
    reload: () => void list.refetch(),
  };
}
