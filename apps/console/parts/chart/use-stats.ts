// Loads counts over time for charts, and reloads them regularly.
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { serviceNowMs } from '../../api/clock/service-clock.ts';
import { get } from '../../api/http.ts';
import { groupSteps, queryOf, spans } from './spans.ts';
import type { StatsStep, Span } from './spans.ts';

const refetchMs = { minute: 10_000, hour: 60_000 } as const;

/** One record for each bar of the chart, oldest first. */
export function useStats(path: string, span: Span): UseQueryResult<readonly StatsStep[]> {
  return useQuery({
    queryKey: ['stats', path, span],
    queryFn: async ({ signal }) => {
      const query = queryOf(span, serviceNowMs());
      const { data } = await get<{ readonly data: readonly StatsStep[] }>(path, { query, signal });
      return groupSteps(data, spans[span].stepsPerBar);
    },
    refetchInterval: refetchMs[spans[span].step],
  });
}
