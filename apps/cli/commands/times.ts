// Times as options give them: an ISO 8601 time, or how long ago.
import { InvalidArgumentError } from 'commander';

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** ISO 8601, with a month at least. `Date.parse` takes more, even `12` as December of 2001, where a number was meant. */
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
