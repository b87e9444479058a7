// Reads a timer's configuration: `{ intervalSeconds }`, or `{ cron, timezone }`.
import type { Json } from '../json.ts';
import { isObject } from '../shape/checks.ts';
import { nextTime } from './cron/cron-times.ts';
import type { TimerSchedule } from './messages.ts';

/** `problem` continues a sentence that begins with the prop's name. */
export type ParsedSchedule = { readonly schedule: TimerSchedule } | { readonly problem: string };

/** A hundred years: a longer interval is not a schedule. */
const intervalSecondsMax = 3_155_760_000;
/** The longest sensible expression is a list of all minutes. */
const cronCharsMax = 256;
/** The longest name of the time zone database has 32. */
const timezoneCharsMax = 64;
const defaultTimezone = 'UTC';
/** The calendar repeats itself: an expression not due in the years after this is never due. */
const referenceTime = 0;

/** Also takes a timer as the API shows it, `{ cron, interval_seconds }`, one of them null. */
export function readSchedule(value: Json): ParsedSchedule {
  if (!isObject(value)) return { problem: `must be ${forms}` };
  const seconds = value['intervalSeconds'] ?? value['interval_seconds'] ?? null;
  const cron = value['cron'] ?? null;
  if ((seconds === null) === (cron === null)) return { problem: `must be ${forms}: one of the two` };
  return cron === null ? readInterval(seconds) : readCron(cron, value['timezone'] ?? defaultTimezone);
}

const forms = '{ "intervalSeconds": 60 } or { "cron": "0 9 * * *", "timezone": "Europe/Berlin" }';

function readInterval(seconds: Json): ParsedSchedule {
  const isInRange = Number.isInteger(seconds) && Number(seconds) >= 1 && Number(seconds) <= intervalSecondsMax;
  if (isInRange) return { schedule: { intervalSeconds: Number(seconds) } };
  return { problem: `must have whole intervalSeconds from 1 to ${intervalSecondsMax}` };
}

function readCron(expression: Json, timezone: Json): ParsedSchedule {
  if (typeof timezone !== 'string' || !isTimezone(timezone))
    return { problem: 'has a timezone that is not known: give a name such as "Europe/Berlin"' };
  if (typeof expression !== 'string') return { problem: 'must have a cron expression that is text' };
  const cron = expression.trim();
  const fields = cron.split(/\s+/).length;
  if (cron.length > cronCharsMax || fields < 5 || fields > 6)
    return {
      problem: `must have a cron expression of five fields, or six with seconds, of at most ${cronCharsMax} characters`,
    };
  try {
    if (nextTime({ cron, timezone }, referenceTime) === null)
      return { problem: 'has a cron expression that is never due' };
  } catch (error) {
    return { problem: `has a cron expression that cannot be read: ${(error as Error).message}` };
  }
  return { schedule: { cron, timezone } };
}

function isTimezone(name: string): boolean {
  if (name === '' || name.length > timezoneCharsMax) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const isSameSchedule = (one: TimerSchedule, other: TimerSchedule): boolean =>
  'cron' in one
    ? 'cron' in other && one.cron === other.cron && one.timezone === other.timezone
    : 'intervalSeconds' in other && one.intervalSeconds === other.intervalSeconds;
