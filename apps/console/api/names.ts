// The names of sources and webhooks, where a record has their ids alone.
import { useList } from './paging.ts';
import type { Source, Webhook } from './records.ts';

/** Beyond these an id is shown as it is. */
const namedMax = 100;

export interface Names {
  readonly sources: readonly Source[];
  readonly webhooks: readonly Webhook[];
  readonly nameOf: (id: string) => string;
}

export const webhookName = ({ name, url }: Webhook): string => name ?? url;

export function useNames(): Names {
  const query = { limit: namedMax };
  const sources = useList<Source>('/v1/sources', { query }).items;
  const webhooks = useList<Webhook>('/v1/webhooks', { query }).items;
  const names = new Map<string, string>([
    ['dc_*', 'Every source'],
    ...sources.map(({ id, name }) => [id, name ?? id] as const),
    ...webhooks.map((webhook) => [webhook.id, webhookName(webhook)] as const),
  ]);
  return { sources, webhooks, nameOf: (id) => names.get(id) ?? id };
}
