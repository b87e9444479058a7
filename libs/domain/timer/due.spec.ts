import fc from 'fast-check';
import { newestTick, firstDue, limitNextDue } from './due.ts';
import { timerEvent } from './timer-event.ts';
import type { TimerSchedule } from './messages.ts';

const at = (text: string): number => Date.parse(text);
const berlin = (cron: string): TimerSchedule => ({ cron, timezone: 'Europe/Berlin' });

/** The first few times at which a timer is due after `from`, when no tick is late. */
function times(schedule: TimerSchedule, from: string, count: number): string[] {
  let next = firstDue(schedule, at(from));
  return Array.from({ length: count }, () => {
    const { due, nextDue } = newestTick(schedule, next, next);
    next = nextDue;
    return new Date(due).toISOString().slice(5, 16);
  });
}

test('the first tick of an interval comes one interval later, and a late tick does not shift the next', () => {
  const minute = { intervalSeconds: 60 };
  expect(firstDue(minute, 1_500)).toBe(61_500);
  expect(newestTick(minute, 61_500, 61_900)).toEqual({ due: 61_500, nextDue: 121_500 });
});

test('missed ticks become one tick, for the newest time that has passed', () => {
  expect(newestTick({ intervalSeconds: 1 }, 1_000, 86_400_700)).toEqual({ due: 86_400_000, nextDue: 86_401_000 });
  const missed = newestTick(berlin('0 * * * *'), at('2026-06-01T00:00:00Z'), at('2026-06-03T10:20:30.5Z'));
  expect(missed).toEqual({ due: at('2026-06-03T10:00:00Z'), nextDue: at('2026-06-03T11:00:00Z') });
  const second = newestTick(berlin('* * * * * *'), at('2026-06-01T00:00:00Z'), at('2026-06-03T10:20:30.5Z'));
  expect(second).toEqual({ due: at('2026-06-03T10:20:30Z'), nextDue: at('2026-06-03T10:20:31Z') });
});

test('on the night without a 02:30 a daily timer still ticks once, at 03:00', () => {
  expect(times(berlin('30 2 * * *'), '2026-03-28T00:00:00Z', 3)).toEqual(['03-28T01:30', '03-29T01:00', '03-30T00:30']);
});

test('on the night with two 02:30 a daily timer ticks once', () => {
  expect(times(berlin('30 2 * * *'), '2026-10-24T12:00:00Z', 2)).toEqual(['10-25T00:30', '10-26T01:30']);
});

test('a timer for every half hour ticks without a gap through both nights', () => {
  const halves = berlin('*/30 * * * *');
  const spring = ['03-29T00:30', '03-29T01:00', '03-29T01:30', '03-29T02:00'];
  expect(times(halves, '2026-03-29T00:15:00Z', 4)).toEqual(spring);
  const autumn = ['10-25T00:00', '10-25T00:30', '10-25T01:00', '10-25T01:30', '10-25T02:00'];
  expect(times(halves, '2026-10-24T23:45:00Z', 5)).toEqual(autumn);
});

test('after the clock is set back, an interval waits no longer than it lasts, and cron skips no tick', () => {
  expect(limitNextDue({ intervalSeconds: 60 }, 10_000_000, 1_000)).toBe(61_000);
  expect(limitNextDue({ intervalSeconds: 60 }, 50_000, 1_000)).toBe(50_000);
  const newYear = at('2026-12-31T23:00:00Z');
  expect(limitNextDue(berlin('0 0 1 1 *'), newYear, at('2026-06-01T00:00:00Z'))).toBe(newYear);
  const nextYear = at('2027-06-01T12:01:00Z');
  expect(limitNextDue(berlin('* * * * *'), nextYear, at('2026-06-01T12:00:30Z'))).toBe(at('2026-06-01T12:01:00Z'));
  expect(limitNextDue(berlin('* * * * *'), nextYear, nextYear - 3_600_000)).toBe(nextYear);
});

test('a tick is never due later than now, and the next one is always after now', () => {
  const schedule = fc.oneof(
    fc.record({ intervalSeconds: fc.integer({ min: 1, max: 100_000 }) }),
    fc.constantFrom('* * * * *', '*/7 * * * * *', '30 2 * * *', '0 0 29 2 *').map(berlin),
  );
  const time = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2029-01-01T00:00:00Z') });
  fc.assert(
    fc.property(schedule, time, fc.integer({ min: 0, max: 400 * 86_400_000 }), (timer, from, lateMs) => {
      const first = firstDue(timer, from);
      const { due, nextDue } = newestTick(timer, first, first + lateMs);
      expect(first).toBeGreaterThan(from);
      expect(due).toBeGreaterThanOrEqual(first);
      expect(due).toBeLessThanOrEqual(first + lateMs);
      expect(nextDue).toBeGreaterThan(first + lateMs);
    }),
    { numRuns: 200 },
  );
});

test('an unreadable schedule is never due and does not throw', () => {
  const unknown = { cron: '0 9 * * *', timezone: 'Mars/Base' };
  expect(firstDue(unknown, 0)).toBeGreaterThan(at('9000-01-01T00:00:00Z'));
  expect(newestTick(unknown, 1_000, 2_000).due).toBe(1_000);
  expect(timerEvent(unknown, 1_000)).toMatchObject({ timestamp: 1, timezone_configured: { timezone: 'Mars/Base' } });
});

test('the event says when the tick was due and names the schedule', () => {
  expect(timerEvent({ intervalSeconds: 60 }, 61_500)).toEqual({ timestamp: 61, interval_seconds: 60 });
  const due = at('2026-07-01T07:00:00Z');
  expect(timerEvent(berlin('0 9 * * *'), due)).toEqual({
    timestamp: due / 1000,
    cron: '0 9 * * *',
    timezone_configured: {
      timezone: 'Europe/Berlin',
      iso8601: '2026-07-01T09:00:00+02:00',
      date: '2026-07-01',
      time: '09:00:00',
      day_of_week: 'Wednesday',
    },
    timezone_utc: {
      timezone: 'UTC',
      iso8601: '2026-07-01T07:00:00+00:00',
      date: '2026-07-01',
      time: '07:00:00',
      day_of_week: 'Wednesday',
    },
  });
});
