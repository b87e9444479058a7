// Delays the projection's turns: until delivery has sent new events, and the longer the more records
// there are.
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { Page, PageBounds } from '../../../log/index.ts';

/** The shortest time between the beginnings of turns: too short to delay a command's answer noticeably. */
const turnMsMin = 10;
/** The longest time between them, under load: at 1,000 records a second, commits cost a third as much. */
const turnMsMax = 60;
const turnMsPerRecord = 2;
/**
 * The append that wakes the projection also wakes delivery. That begins its requests at once, and undici writes them at
 * the end of the turn, since it first checks whether data has arrived on a connection that was idle.
 */
const turnsAfterEvents = 2;

/** Waits until new events were sent: writing them to the views takes longer than sending them. */
export async function waitForEventsSent(pages: readonly Page[], bounds: PageBounds): Promise<void> {
  if (isLagging(pages, bounds) || !pages.some(({ topic }) => topic === 'channels')) return;
  for (let i = 0; i < turnsAfterEvents; i++) await turn();
}

/** Delays the next turn a little under load, so that one commit covers more records; does not wait when far behind. */
export async function delayNextTurn(pages: readonly Page[], tookMs: number, bounds: PageBounds): Promise<void> {
  if (isLagging(pages, bounds)) return;
  const records = pages.reduce((sum, page) => sum + page.records.length, 0);
  const turnMs = Math.min(Math.max(turnMsMin, records * turnMsPerRecord), turnMsMax);
  if (tookMs < turnMs) await delay(turnMs - tookMs);
}

const isLagging = (pages: readonly Page[], { recordsMax }: PageBounds): boolean =>
  pages.some((page) => page.records.length === recordsMax);
