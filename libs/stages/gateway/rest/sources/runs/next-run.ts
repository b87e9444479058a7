// Finds when the timer of a source is due next: as the scheduler has decided for the source's current schedule.
import { setTimeout as delay } from 'node:timers/promises';
import type { Manifest } from '../../../../../domain/component/manifest.ts';
import { timerOf } from '../../../../../domain/source/timer-of.ts';
import type { TimerSchedule } from '../../../../../domain/timer/messages.ts';
import { isSameSchedule } from '../../../../../domain/timer/schedule.ts';
import type { ScheduleView, SourceView } from '../../../../../domain/views/index.ts';
import { Backoff } from '../../../../../primitives/backoff.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { findOwned, findShown } from '../../owned-documents.ts';

/** The scheduler decides, and the views show it, some 20 ms after the end of a deploy or an update. */
const firstPollMs = 5;
const pollMsMax = 100;

/** Epoch ms. Null: there is no active timer, or the views do not show yet when it is due. */
export function nextRunOf(source: SourceView, scheduleView: ScheduleView | undefined): number | null {
  if (scheduleView === undefined) return null;
  const timer = activeTimerOf(source);
  return timer !== null && isSameSchedule(timer, scheduleView.schedule) ? scheduleView.nextDue : null;
}

/**
 * Returns a source whose process has ended, once the views show the scheduler's decision for it, or as it is after
 * `viewsMs`. Throws ApiProblem 503 while the views do not show the source itself.
 */
export async function findScheduled(
  parts: Parts<'views' | 'limits'>,
  caller: Caller,
  sourceId: string,
): Promise<SourceView> {
  const deadline = performance.now() + parts.limits.viewsMs;
  let source = await findShown<SourceView>(parts, caller, 'sources', sourceId);
  for (const backoff = new Backoff(firstPollMs, pollMsMax); ;) {
    const scheduleView = (await parts.views().get('schedules', sourceId))?.value as ScheduleView | undefined;
    const remainingMs = deadline - performance.now();
    if (isDecided(source, scheduleView) || remainingMs <= 0) return source;
    await delay(Math.min(backoff.next(), remainingMs));
    const current = await findOwned<SourceView>(parts, caller, 'sources', sourceId);
    if (current === undefined) return source;
    source = current;
  }
}

/** True while another process of the source is in progress: until its end there is no final decision. */
function isDecided(source: SourceView, scheduleView: ScheduleView | undefined): boolean {
  if (source.state !== 'active' && source.state !== 'inactive') return true;
  const timer = activeTimerOf(source);
  return timer === null
    ? scheduleView === undefined
    : scheduleView !== undefined && isSameSchedule(timer, scheduleView.schedule);
}

/** Null: the source has no timer, or is inactive. */
function activeTimerOf({ active, manifest, props }: SourceView): TimerSchedule | null {
  return active && manifest !== null ? timerOf(manifest as unknown as Manifest, props) : null;
}
