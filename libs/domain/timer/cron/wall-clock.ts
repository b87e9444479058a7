// What the clocks of a timezone show, and when, in nights that change them too. A wall time is what a clock shows, kept as
// if it were UTC, in milliseconds.
import type { Millis } from '../../message.ts';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Two changes of a timezone are weeks apart, and no wall time is further from its change than this. */
const dayMs = 24 * hourMs;

/** A cache, because creating a formatter costs as much as twenty uses. */
const formats = new Map<string, Intl.DateTimeFormat>();
const formatsMax = 64;

/** Throws a RangeError if the timezone is not known. */
export function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    timeZoneName: 'longOffset',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  if (formats.size >= formatsMax) formats.clear();
  formats.set(timezone, format);
  return format;
}

/** The newest wall time that clocks have shown until `at`: while an hour is repeated, the last before it began again. */
export function newestWallTime(timezone: string, at: Millis): Millis {
  const second = Math.floor(at / secondMs) * secondMs;
  const wallTime = second + offsetAt(timezone, second);
  const before = offsetAt(timezone, second - dayMs);
  if (second + before <= wallTime) return wallTime;
  return Math.max(wallTime, changeBetween(timezone, second - dayMs, second) + before - secondMs);
}

/** The first moment at which clocks show this wall time, or a later one because they skip it. */
export function firstTimeShowing(timezone: string, wall: Millis): Millis {
  const approximate = wall - offsetAt(timezone, wall);
  const before = offsetAt(timezone, approximate - dayMs);
  const after = offsetAt(timezone, approximate + dayMs);
  if (offsetAt(timezone, wall - before) === before) return wall - before;
  if (offsetAt(timezone, wall - after) === after) return wall - after;
  return changeBetween(timezone, wall - after, wall - before);
}

/** The first second with the offset of `to`, which is after `from` and whole seconds away. */
function changeBetween(timezone: string, from: Millis, to: Millis): Millis {
  const offset = offsetAt(timezone, to);
  let [earlier, change] = [from, to];
  while (change - earlier > secondMs) {
    const middle = earlier + Math.floor((change - earlier) / 2 / secondMs) * secondMs;
    if (offsetAt(timezone, middle) === offset) change = middle;
    else earlier = middle;
  }
  return change;
}

/** How far clocks are ahead of UTC: `GMT+02:00` says two hours, `GMT` none; before 1900 there are seconds, too. */
function offsetAt(timezone: string, at: Millis): Millis {
  const name = formatOf(timezone)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours, minutes, seconds] = /([+-])(\d+):(\d+)(?::(\d+))?$/.exec(name ?? '') ?? [];
  const size = Number(hours ?? 0) * hourMs + Number(minutes ?? 0) * minuteMs + Number(seconds ?? 0) * secondMs;
  return sign === '-' ? -size : size;
}
