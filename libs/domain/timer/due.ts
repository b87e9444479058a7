// When a timer is due: the time is an argument, and what was missed becomes one tick.
import type { Millis } from '../message.ts';
import type { TimerSchedule } from './messages.ts';
import { cronOf } from './schedule.ts';

/** One tick, and when the next is due. */
export interface Due {
  readonly due: Millis;
  readonly nextDue: Millis;
}

const secondMs = 1_000;
/** Of an expression that is never due, or that another program took: later than every tick that anybody will see. */
const neverMs = Date.UTC(9999, 0);

/** One interval after `at`, or the first time of the expression after it. */
export const firstDue = (schedule: TimerSchedule, at: Millis): Millis =>
  'cron' in schedule ? nextOfCron(schedule, at) : at + schedule.intervalSeconds * secondMs;

/** Of a timer that was due at `nextDue`, now or before: the newest time that has passed. */
export function dueAt(schedule: TimerSchedule, nextDue: Millis, now: Millis): Due {
  if ('cron' in schedule) return dueOfCron(schedule, nextDue, now);
  const intervalMs = schedule.intervalSeconds * secondMs;
  const due = nextDue + Math.floor(Math.max(now - nextDue, 0) / intervalMs) * intervalMs;
  return { due, nextDue: due + intervalMs };
}

/** A clock that was wrong by less is waited for: times that have passed are not met again. */
const setBackMs = 3_600_000;

/**
 * A clock that was set back must not keep a timer from ticking: no interval is waited for longer than it lasts, and of
 * an expression the next time counts.
 */
export function withinReach(schedule: TimerSchedule, nextDue: Millis, now: Millis): Millis {
  if ('cron' in schedule) return nextDue - now <= setBackMs ? nextDue : Math.min(nextDue, nextOfCron(schedule, now));
  return Math.min(nextDue, now + schedule.intervalSeconds * secondMs);
}

type CronSchedule = Extract<TimerSchedule, { readonly cron: string }>;

function dueOfCron(schedule: CronSchedule, nextDue: Millis, now: Millis): Due {
  const next = nextOfCron(schedule, nextDue);
  if (next > now) return { due: nextDue, nextDue: next };
  const [newest] = cronOf(schedule).previousRuns(1, new Date(Math.floor(now / secondMs) * secondMs + secondMs));
  const due = Math.max(Math.min(newest?.getTime() ?? nextDue, now), nextDue);
  return { due, nextDue: nextOfCron(schedule, Math.max(now, due)) };
}

/** Total: a schedule on the log that cannot be read must not end who meets it. */
function nextOfCron(schedule: CronSchedule, after: Millis): Millis {
  try {
    return cronOf(schedule).nextRun(new Date(after))?.getTime() ?? neverMs;
  } catch {
    return neverMs;
  }
}
