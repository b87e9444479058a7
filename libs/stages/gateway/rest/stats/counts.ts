// Adds up the counts in the documents of views for each step of a span.
import type { Millis } from '../../../../domain/message.ts';
import { addTo } from '../../../../domain/views/index.ts';
import type { CountSum, MinuteCounts, StatsView, WebhookDaysView } from '../../../../domain/views/index.ts';
import { hourMs, minuteMs } from '../../../../domain/views/stats/stats.view.ts';
import type { ViewBuild } from '../../../../view-store/view-store.ts';
import { dailyDocuments, hourlyDocuments } from './hourly-documents.ts';
import type { StatsList } from './hourly-documents.ts';
import type { Span } from './span.ts';

/** The length of a step in ms, and how many there are by default: the last hour, or the last day. */
export const stepLengths = { minute: { ms: minuteMs, steps: 60 }, hour: { ms: hourMs, steps: 24 } } as const;

type Counts = Map<Millis, CountSum>;

/** Counts by the beginning of each step; empty steps are absent. */
export async function countsBySteps(
  views: ViewBuild,
  lists: readonly StatsList[],
  span: Span,
): Promise<ReadonlyMap<Millis, MinuteCounts>> {
  const counts: Counts = new Map();
  for (const list of lists) await addMinutes(counts, views, list, span);
  return counts;
}

/**
 * The same by whole hours, from one document per day: a thirtieth of the work. Before the first of them there are only
 * the hours of a day that retention has begun to remove.
 */
export async function countsByHours(
  views: ViewBuild,
  { daily, hourly }: { readonly daily: StatsList; readonly hourly: StatsList },
  span: Span,
): Promise<ReadonlyMap<Millis, MinuteCounts>> {
  const counts: Counts = new Map();
  let first: Millis | undefined;
  for await (const { value } of dailyDocuments(views, daily, span)) {
    const { day, hours } = value as WebhookDaysView;
    first ??= day;
    for (const [hour, counted] of Object.entries(hours)) {
      const at = day + Number(hour) * hourMs;
      if (at >= span.from && at < span.to) addAt(counts, at, counted);
    }
  }
  const to = Math.min(span.to, first ?? span.to);
  if (to > span.from) await addMinutes(counts, views, hourly, { ...span, to });
  return counts;
}

async function addMinutes(
  counts: Counts,
  views: ViewBuild,
  list: StatsList,
  { from, to, stepMs }: Span,
): Promise<void> {
  for await (const { value } of hourlyDocuments(views, list, { from, to })) {
    const { hour, minutes } = value as StatsView;
    for (const [minute, counted] of Object.entries(minutes))
      addAt(counts, Math.floor((hour + Number(minute) * minuteMs) / stepMs) * stepMs, counted);
  }
}

function addAt(counts: Counts, step: Millis, counted: MinuteCounts): void {
  const sum = counts.get(step) ?? {};
  addTo(sum, counted);
  counts.set(step, sum);
}
