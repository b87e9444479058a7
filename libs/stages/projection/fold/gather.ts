// When the projection's turns begin: after events have been handed to delivery, and further apart the more records
// there are.
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { Page, PageBounds } from '../../../log/index.ts';

/** Turns begin at least this far apart: too little for a command's answer to notice. */
const turnMsMin = 10;
/** With more records turns begin further apart, up to this: at 1,000 a second, commits cost a third as much. */
const turnMsMax = 60;
const turnMsPerRecord = 2;
/**
 * The append that wakes the projection wakes delivery, too. That begins its requests at once, and undici writes them at
 * the end of the turn, since it first looks whether something has come in on a connection that was idle.
 */
const turnsBehindEvents = 2;

/** Lets new events be sent before they are written to the views, which takes longer than sending them. */
export async function letEventsGoFirst(pages: readonly Page[], bounds: PageBounds): Promise<void> {
  if (isBehind(pages, bounds) || !pages.some(({ topic }) => topic === 'channels')) return;
  for (let i = 0; i < turnsBehindEvents; i++) await turn();
}

/** Under load the next turn waits a little, so that one commit covers more records; when far behind it does not. */
export async function gather(pages: readonly Page[], tookMs: number, bounds: PageBounds): Promise<void> {
  if (isBehind(pages, bounds)) return;
  const records = pages.reduce((sum, page) => sum + page.records.length, 0);
  const turnMs = Math.min(Math.max(turnMsMin, records * turnMsPerRecord), turnMsMax);
  if (tookMs < turnMs) await delay(turnMs - tookMs);
}

const isBehind = (pages: readonly Page[], { recordsMax }: PageBounds): boolean =>
  pages.some((page) => page.records.length === recordsMax);
