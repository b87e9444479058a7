// Times as options give them: an ISO 8601 time, or how long ago.
import { InvalidArgumentError } from 'commander';

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** From the month on. What JavaScript reads beside it may be meant as a number: `12` is December of 2001. */
const iso = /^\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?$/;

/** Epoch ms of `2026-06-01T00:00Z`, or of `30m` before now. */
export function timeOf(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = unitMs[unit];
  const time = ms === undefined ? isoTime(text) : Date.now() - Number(count) * ms;
  if (Number.isNaN(time) || time < 0)
    throw new InvalidArgumentError('It must be a time, as 2026-06-01T00:00Z, or how long ago: 30m, 24h, 7d.');
  return time;
}

const isoTime = (text: string): number => (iso.test(text) ? Date.parse(text) : Number.NaN);
