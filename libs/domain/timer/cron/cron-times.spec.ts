import fc from 'fast-check';
import { newestTime, nextTime, type CronSchedule } from './cron-times.ts';

const minuteMs = 60_000;
const at = (text: string): number => Date.parse(text);

/** The minutes in UTC at which it is due after `from` and before `to`. */
function times(schedule: CronSchedule, from: number, to: number): number[] {
  const due: number[] = [];
  for (let next = nextTime(schedule, from); next !== null && next < to; next = nextTime(schedule, next)) due.push(next);
  return due;
}

const dueTimes = (cron: string, timezone: string, from: string, to: string): string[] =>
  times({ cron, timezone }, at(from), at(to)).map((time) => new Date(time).toISOString().slice(5, 16));

const spring = ['Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z'] as const;
const autumn = ['Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T12:00:00Z'] as const;

test.each([
  ['30 2 * * *', ['03-29T01:00']],
  ['0 2,4 * * *', ['03-29T01:00', '03-29T02:00']],
  ['*/20 2 * * *', ['03-29T01:00']],
  ['*/20 2-3 * * *', ['03-29T01:00', '03-29T01:20', '03-29T01:40']],
  ['15 0-6/2 * * *', ['03-28T23:15', '03-29T01:00', '03-29T02:15', '03-29T04:15']],
  ['15,45 2 29 3 *', ['03-29T01:00']],
  ['*/10 */30 2 * * *', ['03-29T01:00']],
])('at given hours, skipped times come once when the gap ends: %s', (cron, due) => {
  expect(dueTimes(cron, ...spring)).toEqual(due);
});

test.each([
  ['0 2,4 * * *', ['10-25T00:00', '10-25T03:00']],
  ['*/20 2 * * *', ['10-25T00:00', '10-25T00:20', '10-25T00:40']],
  ['15 0-6/2 * * *', ['10-24T22:15', '10-25T00:15', '10-25T03:15', '10-25T05:15']],
])('at given hours, repeated times come once, the first time: %s', (cron, due) => {
  expect(dueTimes(cron, ...autumn)).toEqual(due);
});

test('at any hour, skipped times do not come and repeated ones come twice', () => {
  expect(dueTimes('15 */2 * * *', ...spring).slice(5, 8)).toEqual(['03-28T23:15', '03-29T02:15', '03-29T04:15']);
  expect(dueTimes('15 */2 * * *', ...autumn).slice(4, 8)).toEqual([
    '10-24T20:15',
    '10-24T22:15',
    '10-25T00:15',
    '10-25T01:15',
  ]);
});

test('a gap that ends on the next day loses no time', () => {
  const nuuk = ['America/Nuuk', '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z'] as const;
  expect(dueTimes('30 23 * * sat', ...nuuk)).toEqual(['03-29T01:00']);
});

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'America/Nuuk', 'UTC'];

/** What clocks show each minute of a stretch of time. */
function wallsOf(timezone: string, from: number, to: number): { readonly at: number; readonly wall: number }[] {
  const format = new Intl.DateTimeFormat('sv', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  const minutes = Array.from({ length: (to - from) / minuteMs }, (_, index) => from + index * minuteMs);
  return minutes.map((minute) => ({ at: minute, wall: at(`${format.format(minute).replace(' ', 'T')}Z`) }));
}

/** The nights of two years that change the clocks, with an hour before and after the day of the change. */
const nights = zones.flatMap((timezone) => {
  const offset = (time: number): number => (wallsOf(timezone, time, time + minuteMs)[0]?.wall ?? 0) - time;
  const days = Array.from({ length: 730 }, (_, index) => at('2026-01-01T12:00:00Z') + index * 86_400_000);
  const changed = days.filter((day, index) => index === 100 || offset(day) !== offset(day + 86_400_000));
  return changed.map((day) => ({ timezone, walls: wallsOf(timezone, day - 3_600_000, day + 25 * 3_600_000) }));
});

type Matches = (wall: number) => boolean;
type Walls = (typeof nights)[number]['walls'];

const followed = (walls: Walls, matches: Matches): number[] =>
  walls.flatMap((one) => (matches(one.wall) ? [one.at] : []));

/** Each minute that clocks reach for the first time, alone or with those they skip. */
function reached(walls: Walls, matches: Matches): number[] {
  let newest = (walls[0]?.wall ?? 0) - minuteMs;
  return walls.flatMap(({ at: time, wall }) => {
    const passed: number[] = [];
    for (; newest < wall; newest += minuteMs) passed.push(newest + minuteMs);
    return passed.some(matches) ? [time] : [];
  });
}

const field = (
  max: number,
  texts: readonly string[],
): fc.Arbitrary<{ text: string; has: (value: number) => boolean }> =>
  fc.oneof(
    fc.uniqueArray(fc.integer({ min: 0, max }), { minLength: 1, maxLength: 3 }).map((values) => ({
      text: values.join(','),
      has: (value: number) => values.includes(value),
    })),
    fc.constantFrom(...texts).map((text) => {
      const [, from = '0', to = String(max), step = '1'] = /^(?:\*|(\d+)-(\d+))(?:\/(\d+))?$/.exec(text) ?? [];
      const has = (value: number): boolean => value >= +from && value <= +to && (value - +from) % +step === 0;
      return { text, has };
    }),
  );

test('no time is lost and none comes twice in any night that changes the clocks', () => {
  const minutes = field(59, ['*/10', '*/20', '5-50/15', '0-10']);
  const night = fc.constantFrom(...nights);
  const hours = field(23, ['*', '*/2', '*/3', '0-4', '1-23/2', '0-23']);
  expect(nights.length).toBeGreaterThan(20);
  fc.assert(
    fc.property(night, minutes, hours, fc.nat(), ({ timezone, walls }, minute, hour, look) => {
      const schedule = { cron: `${minute.text} ${hour.text} * * *`, timezone };
      const matches: Matches = (wall) =>
        minute.has(new Date(wall).getUTCMinutes()) && hour.has(new Date(wall).getUTCHours());
      const due = hour.text.includes('*') ? followed(walls, matches) : reached(walls, matches);
      const [from, to] = [walls[0]?.at ?? 0, (walls.at(-1)?.at ?? 0) + minuteMs];
      expect(times(schedule, from - 1, to)).toEqual(due);
      const looked = walls[look % walls.length]?.at ?? 0;
      const newest = due.filter((time) => time <= looked).at(-1);
      if (newest !== undefined) expect(newestTime(schedule, looked)).toBe(newest);
    }),
    { numRuns: 60 },
  );
});
