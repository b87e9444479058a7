// Finds sources or webhooks to choose from: the newest, and those that match the typed text.
import { webhookName } from '../../api/names.ts';
import { useList } from '../../api/paging.ts';
import type { Source, Webhook } from '../../api/records.ts';
import { useSettled } from '../hooks/settled.ts';
import { toldApart } from './told-apart.ts';
import type { Choice } from './told-apart.ts';
import { useSearched } from './use-searched.ts';
import type { Kind } from './use-searched.ts';

type Named = Source | Webhook;

const listedMax = 100;

const pathOf = (kind: Kind): string => `/v1/${kind}`;

const useNewest = (kind: Kind): readonly Named[] => useList<Named>(pathOf(kind), { query: { limit: listedMax } }).items;

/** `text`: searched in names and ids; empty: no search. */
export function useFound(kind: Kind, text: string): readonly Choice[] {
  const q = useSettled(text.trim());
  const newest = useNewest(kind);
  const found = useSearched(kind, { q, enabled: q !== '' }).items;
  const known = new Set(newest.map(({ id }) => id));
  return toldApart([...newest, ...found.filter(({ id }) => !known.has(id))].map(named));
}

/** The choice for one record. Only compared with the newest records, so that a search never changes its label. */
export function useChoice(kind: Kind, record: Named | undefined): Choice | undefined {
  const newest = useNewest(kind);
  return record === undefined ? undefined : toldApart([named(record)], newest.map(named))[0];
}

const named = (record: Named): Choice & { readonly slug?: string | null } =>
  'url' in record
    ? { value: record.id, label: webhookName(record) }
    : { value: record.id, label: record.name ?? record.id, slug: record.name_slug };
