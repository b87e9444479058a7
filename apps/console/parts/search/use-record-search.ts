// Searches sources or webhooks: the newest by a part of the name, all by a whole name, slug, URL or id.
import { useList } from '../../api/paging.ts';
import type { PagedList } from '../../api/paging.ts';
import { useRecord } from '../../api/record.ts';
import type { Source, Webhook } from '../../api/records.ts';

interface RecordsByKind {
  readonly sources: Source;
  readonly webhooks: Webhook;
}

export type RecordKind = keyof RecordsByKind;

const listedMax = 100;

/** Besides the name, the field by whose whole value the service finds a record of any age. */
const exactField = { sources: 'name_slug', webhooks: 'url' } as const;
const idPattern = { sources: /^dc_[0-9A-Za-z]{16}$/, webhooks: /^wh_[0-9A-Za-z]{16}$/ } as const;

/** `q` undefined: lists all. `enabled` concerns the search. */
export function useRecordSearch<K extends RecordKind>(
  kind: K,
  {
    q,
    refetchMs,
    enabled = true,
  }: { readonly q: string | undefined; readonly refetchMs?: number; readonly enabled?: boolean },
): PagedList<RecordsByKind[K]> {
  const path = `/v1/${kind}`;
  const isSearch = enabled && q !== undefined;
  const list = useList<RecordsByKind[K]>(path, {
    query: { limit: listedMax, q },
    enabled,
    ...(refetchMs && { refetchMs }),
  });
  const byName = useList<RecordsByKind[K]>(path, { query: { limit: listedMax, name: q }, enabled: isSearch });
  const byExactField = useList<RecordsByKind[K]>(path, {
    query: { limit: listedMax, [exactField[kind]]: q },
    enabled: isSearch,
  });
  const isId = isSearch && idPattern[kind].test(q);
  const record = useRecord<RecordsByKind[K]>(isId ? `${path}/${q}` : undefined);
  if (!isSearch) return list;
  const exactMatches = [...byName.items, ...byExactField.items, ...(record.data === undefined ? [] : [record.data])];
  const items = new Map([...list.items, ...exactMatches].map((one) => [one.id, one]));
  const isLoading = list.isLoading || byName.isLoading || byExactField.isLoading || (isId && record.isPending);
  return { ...list, items: [...items.values()], isLoading };
}
