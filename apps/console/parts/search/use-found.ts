// Sources or webhooks to choose among: the newest, and those in which the service finds what somebody types.
import { useList } from '../../api/paging.ts';
import type { Source, Webhook } from '../../api/records.ts';
import { useSettled } from '../hooks/settled.ts';

const listedMax = 100;

/** `text`: what is looked for, in names and ids; empty: nothing. */
export function useFound<T extends Source | Webhook>(kind: 'sources' | 'webhooks', text: string): readonly T[] {
  const q = useSettled(text.trim());
  const path = `/v1/${kind}`;
  const newest = useList<T>(path, { query: { limit: listedMax } }).items;
  const found = useList<T>(path, { query: { limit: listedMax, q }, enabled: q !== '' }).items;
  const known = new Set(newest.map(({ id }) => id));
  return [...newest, ...found.filter(({ id }) => !known.has(id))];
}
