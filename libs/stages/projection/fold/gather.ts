// The minimum length of a turn of the projection.
import { setTimeout as delay } from 'node:timers/promises';
import type { Page, PageBounds } from '../../../log/index.ts';

/** Turns begin at least this far apart: too little for a command's answer to notice. */
const turnMsMin = 10;
/** With more records turns begin further apart, up to this: at 1,000 a second, commits cost a third as much. */
const turnMsMax = 60;
const turnMsPerRecord = 2;

/** Under load the next turn waits a little, so that one commit covers more records; when far behind it does not. */
export async function gather(pages: readonly Page[], tookMs: number, { recordsMax }: PageBounds): Promise<void> {
  if (pages.some((page) => page.records.length === recordsMax)) return;
  const records = pages.reduce((sum, page) => sum + page.records.length, 0);
  const turnMs = Math.min(Math.max(turnMsMin, records * turnMsPerRecord), turnMsMax);
  if (tookMs < turnMs) await delay(turnMs - tookMs);
}
