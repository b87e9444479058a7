// When a cron expression is due, by the rule of Vixie cron in nights that change the clocks. With `*` in the field of hours
// an expression follows the clock: a skipped time never comes, a repeated one comes twice. Without it each time comes once,
// at the first moment when clocks show it or a later one: skipped times come together when the gap ends.
import { Cron } from 'croner';
import type { Millis } from '../../message.ts';
import { firstTimeShowing, newestWallTime } from './wall-clock.ts';

export interface CronSchedule {
  readonly cron: string;
  readonly timezone: string;
}

const secondMs = 1_000;

/** The first time after `after`; null: never. Throws an Error that says why the expression or timezone cannot be read. */
export function nextTime({ cron, timezone }: CronSchedule, after: Millis): Millis | null {
  if (followsClock(cron)) return cronOf(cron, timezone).nextRun(new Date(after))?.getTime() ?? null;
  const wall = cronOf(cron, 'UTC').nextRun(new Date(newestWallTime(timezone, after)));
  return wall === null ? null : firstTimeShowing(timezone, wall.getTime());
}

/** The newest time up to and including `until`; null: none. Throws as `nextTime` does. */
export function newestTime({ cron, timezone }: CronSchedule, until: Millis): Millis | null {
  if (followsClock(cron)) return newestOf(cronOf(cron, timezone), until);
  const wall = newestOf(cronOf(cron, 'UTC'), newestWallTime(timezone, until));
  return wall === null ? null : firstTimeShowing(timezone, wall);
}

function newestOf(cron: Cron, until: Millis): Millis | null {
  const nextSecond = Math.floor(until / secondMs) * secondMs + secondMs;
  return cron.previousRuns(1, new Date(nextSecond))[0]?.getTime() ?? null;
}

/** Hours are the third field from the left of six, and the second of five. */
function followsClock(cron: string): boolean {
  const hours = cron.trim().split(/\s+/).at(-4) ?? '';
  return /[*?]/.test(hours);
}

/** `?` means any day, as in other dialects; croner would read the present time. */
const cronOf = (cron: string, timezone: string): Cron =>
  new Cron(cron.replaceAll('?', '*'), { timezone, mode: '5-or-6-parts', paused: true });
