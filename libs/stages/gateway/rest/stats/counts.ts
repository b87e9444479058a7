// Adds up, for each step of a span, what the documents of some views count.
import type { Millis } from '../../../../domain/message.ts';
import { addTo } from '../../../../domain/views/index.ts';
import type { CountSum, MinuteCounts, StatsView } from '../../../../domain/views/index.ts';
import { hourMs, minuteMs } from '../../../../domain/views/stats/stats.view.ts';
import type { ViewBuild } from '../../../../view-store/view-store.ts';
import { hourlyDocuments } from './hourly-documents.ts';
import type { Hourly } from './hourly-documents.ts';
import type { Span } from './span.ts';

/** By default: the last hour, or the last day. */
export const stepLengths = { minute: { ms: minuteMs, steps: 60 }, hour: { ms: hourMs, steps: 24 } } as const;

/** By the beginning of each step; steps without anything are absent. */
export async function countsBySteps(
  views: ViewBuild,
  lists: readonly Hourly[],
  { from, to, stepMs }: Span,
): Promise<ReadonlyMap<Millis, MinuteCounts>> {
  const counts = new Map<Millis, CountSum>();
  for (const list of lists) {
    for await (const { value } of hourlyDocuments(views, list, { from, to })) {
      const { hour, minutes } = value as StatsView;
      for (const [minute, counted] of Object.entries(minutes)) {
        const step = Math.floor((hour + Number(minute) * minuteMs) / stepMs) * stepMs;
        const sum = counts.get(step) ?? {};
        addTo(sum, counted);
        counts.set(step, sum);
      }
    }
  }
  return counts;
}
