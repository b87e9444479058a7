// Finds sources or webhooks to choose from: the newest, and those that match the typed text.
import { webhookName } from '../../api/names.ts';
import { useList } from '../../api/paging.ts';
import type { Source, Webhook } from '../../api/records.ts';
import { useDebounced } from '../hooks/debounced.ts';
import { withDistinctLabels } from './distinct-labels.ts';
import type { Choice } from './distinct-labels.ts';
import { useRecordSearch } from './use-record-search.ts';
import type { RecordKind } from './use-record-search.ts';

type NamedRecord = Source | Webhook;

const listedMax = 100;

const pathOf = (kind: RecordKind): string => `/v1/${kind}`;

const useNewest = (kind: RecordKind): readonly NamedRecord[] =>
  useList<NamedRecord>(pathOf(kind), { query: { limit: listedMax } }).items;

/** `text`: searched in names and ids; empty: no search. */
export function useChoices(kind: RecordKind, text: string): readonly Choice[] {
  const q = useDebounced(text.trim());
  const newest = useNewest(kind);
  const matches = useRecordSearch(kind, { q, enabled: q !== '' }).items;
  const newestIds = new Set(newest.map(({ id }) => id));
  return withDistinctLabels([...newest, ...matches.filter(({ id }) => !newestIds.has(id))].map(choiceOf));
}

/** The choice for one record. Only compared with the newest records, so that a search never changes its label. */
export function useChoice(kind: RecordKind, record: NamedRecord | undefined): Choice | undefined {
  const newest = useNewest(kind);
  return record === undefined ? undefined : withDistinctLabels([choiceOf(record)], newest.map(choiceOf))[0];
}

const choiceOf = (record: NamedRecord): Choice & { readonly slug?: string | null } =>
  'url' in record
    ? { value: record.id, label: webhookName(record) }
    : { value: record.id, label: record.name ?? record.id, slug: record.name_slug };
