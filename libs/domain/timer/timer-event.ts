// Makes a tick's event: its due time and its schedule (docs/reference/component-api.md, "What `run` gets").
import type { JsonObject } from '../json.ts';
import type { Millis } from '../message.ts';
import { formatOf } from './cron/wall-clock.ts';
import type { TimerSchedule } from './messages.ts';

export function timerEvent(schedule: TimerSchedule, due: Millis): JsonObject {
  const timestamp = Math.floor(due / 1000);
  if (!('cron' in schedule)) return { timestamp, interval_seconds: schedule.intervalSeconds };
  const { cron, timezone } = schedule;
  return { timestamp, cron, timezone_configured: dateOf(timezone, due), timezone_utc: dateIn('UTC', due) };
}

/** A timezone that is no longer known since the deploy must not stop ticks. */
function dateOf(timezone: string, due: Millis): JsonObject {
  try {
    return dateIn(timezone, due);
  } catch {
    return { timezone };
  }
}

function dateIn(timezone: string, due: Millis): JsonObject {
  const parts = Object.fromEntries(
    formatOf(timezone)
      .formatToParts(due)
      .map(({ type, value }) => [type, value]),
  );
  const date = `${parts['year']}-${parts['month']}-${parts['day']}`;
  const time = `${parts['hour']}:${parts['minute']}:${parts['second']}`;
  const offset = parts['timeZoneName']?.replace('GMT', '') || '+00:00';
  return { timezone, iso8601: `${date}T${time}${offset}`, date, time, day_of_week: parts['weekday'] ?? '' };
}
