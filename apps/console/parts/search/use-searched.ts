// Searches sources or webhooks: the newest by a part of the name, all by a whole name, slug, URL or id.
import { useList } from '../../api/paging.ts';
import type { Listed } from '../../api/paging.ts';
import { useRecord } from '../../api/record.ts';
import type { Source, Webhook } from '../../api/records.ts';

interface Searched {
  readonly sources: Source;
  readonly webhooks: Webhook;
}

export type Kind = keyof Searched;

const listedMax = 100;

/** Besides the name, the field by whose whole value the service finds a record of any age. */
const other = { sources: 'name_slug', webhooks: 'url' } as const;
const id = { sources: /^dc_[0-9A-Za-z]{16}$/, webhooks: /^wh_[0-9A-Za-z]{16}$/ } as const;

/** `q` undefined: lists all. `enabled` concerns the search. */
export function useSearched<K extends Kind>(
  kind: K,
  {
    q,
    refetchMs,
    enabled = true,
  }: { readonly q: string | undefined; readonly refetchMs?: number; readonly enabled?: boolean },
): Listed<Searched[K]> {
  const path = `/v1/${kind}`;
  const isSearch = enabled && q !== undefined;
  const list = useList<Searched[K]>(path, { query: { limit: listedMax, q }, enabled, ...(refetchMs && { refetchMs }) });
  const named = useList<Searched[K]>(path, { query: { limit: listedMax, name: q }, enabled: isSearch });
  const otherwise = useList<Searched[K]>(path, { query: { limit: listedMax, [other[kind]]: q }, enabled: isSearch });
  const isId = isSearch && id[kind].test(q);
  const record = useRecord<Searched[K]>(isId ? `${path}/${q}` : undefined);
  if (!isSearch) return list;
  const exact = [...named.items, ...otherwise.items, ...(record.data === undefined ? [] : [record.data])];
  const items = new Map([...list.items, ...exact].map((one) => [one.id, one]));
  const isLoading = list.isLoading || named.isLoading || otherwise.isLoading || (isId && record.isPending);
  return { ...list, items: [...items.values()], isLoading };
}
