// How long a turn of the projection lasts at least.
import { setTimeout as delay } from 'node:timers/promises';
import type { Page, PageBounds } from '../../../log/index.ts';

/** Turns begin this far apart at least: a command's answer does not feel it ... */
const turnMsMin = 10;
/** ... and the further the more records they take, up to this: at a thousand a second, commits of the views are a third of their price. */
const turnMsMax = 60;
const turnMsPerRecord = 2;

/** Under load the next turn waits a little, so that one commit of the views takes what has come meanwhile; far behind it does not. */
export async function gather(pages: readonly Page[], tookMs: number, { recordsMax }: PageBounds): Promise<void> {
  if (pages.some((page) => page.records.length === recordsMax)) return;
  const records = pages.reduce((sum, page) => sum + page.records.length, 0);
  const turnMs = Math.min(Math.max(turnMsMin, records * turnMsPerRecord), turnMsMax);
  if (tookMs < turnMs) await delay(turnMs - tookMs);
}
