// Computes when a timer is due; several missed ticks become one tick.
import type { Millis } from '../message.ts';
import type { TimerSchedule } from './messages.ts';
import { newestTime, nextTime, type CronSchedule } from './cron/cron-times.ts';

/** One tick, and when the next is due. */
export interface Tick {
  readonly due: Millis;
  readonly nextDue: Millis;
}

const secondMs = 1_000;
/** The due time of an expression that is never due, or not supported here: later than any real tick. */
const neverMs = Date.UTC(9999, 0);

/** One interval after `at`, or the first time of the expression after it. */
export const firstDue = (schedule: TimerSchedule, at: Millis): Millis =>
  'cron' in schedule ? nextCronTime(schedule, at) : at + schedule.intervalSeconds * secondMs;

/** The tick of a timer that was due at `nextDue`, now or earlier: its time is the newest that has passed. */
export function newestTick(schedule: TimerSchedule, nextDue: Millis, now: Millis): Tick {
  if ('cron' in schedule) return tickOfCron(schedule, nextDue, now);
  const intervalMs = schedule.intervalSeconds * secondMs;
  const due = nextDue + Math.floor(Math.max(now - nextDue, 0) / intervalMs) * intervalMs;
  return { due, nextDue: due + intervalMs };
}

/** A clock set back by less than this is waited for, so that passed times do not tick twice. */
const clockSetBackMaxMs = 3_600_000;

/**
 * A clock that was set back must not stop a timer: no wait is longer than the interval, and for an expression the
 * next time counts.
 */
export function limitNextDue(schedule: TimerSchedule, nextDue: Millis, now: Millis): Millis {
  if ('cron' in schedule)
    return nextDue - now <= clockSetBackMaxMs ? nextDue : Math.min(nextDue, nextCronTime(schedule, now));
  return Math.min(nextDue, now + schedule.intervalSeconds * secondMs);
}

function tickOfCron(schedule: CronSchedule, nextDue: Millis, now: Millis): Tick {
  const next = nextCronTime(schedule, nextDue);
  if (next > now) return { due: nextDue, nextDue: next };
  const due = Math.max(newestTime(schedule, now) ?? nextDue, nextDue);
  return { due, nextDue: nextCronTime(schedule, Math.max(now, due)) };
}

/** Never throws: an unreadable schedule on the log must not end its reader. */
function nextCronTime(schedule: CronSchedule, after: Millis): Millis {
  try {
    return nextTime(schedule, after) ?? neverMs;
  } catch {
    return neverMs;
  }
}
