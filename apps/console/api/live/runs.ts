// Loads the runs of a source: the list, and new ones as they end.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mergeRecords, addNewest } from './merging.ts';
import { useList } from '../paging.ts';
import type { PagedList } from '../paging.ts';
import type { Run } from '../records.ts';
import { useStream } from './stream.ts';
import type { Connection } from './stream.ts';

export interface LiveRuns {
  readonly list: PagedList<Run>;
  readonly connection: Connection;
}

export function useLiveRuns(sourceId: string, outcome: string | undefined): LiveRuns {
  const path = `/v1/sources/${sourceId}/runs`;
  const list = useList<Run>(path, { query: { outcome } });
  const queries = useQueryClient();
  const [streamed, setStreamed] = useState<readonly Run[]>([]);
  const connection = useStream(`/v1/sources/${sourceId}/logs/sse`, {
    enabled: true,
    after: undefined,
    onRecords: (texts) => setStreamed((now) => texts.map((text) => JSON.parse(text) as Run).reduce(addNewest, now)),
    // Lists again what ended between the list and the start of the stream.
    onOpen: () => void queries.invalidateQueries({ queryKey: ['list', path] }),
  });
  const matchingRuns = streamed.filter((run) => outcome === undefined || run.outcome === outcome);
  const items = mergeRecords(list.items, matchingRuns, (a, b) => a.started_at_ms - b.started_at_ms);
  const total = list.total === undefined ? undefined : list.total + items.length - list.items.length;
  return { list: { ...list, items, total }, connection };
}
