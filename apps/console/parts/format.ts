// Times, durations and counts as people read them; the clock is an argument.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Seconds where it matters, days where it does not; the future reads "in 5 min". */
export function relative(atMs: number, nowMs: number): string {
  const distanceMs = Math.abs(nowMs - atMs);
  if (distanceMs < 1_000) return 'now';
  const [unitMs, unit] = unitOf(distanceMs);
  const text = `${Math.floor(distanceMs / unitMs)} ${unit}`;
  return atMs > nowMs ? `in ${text}` : `${text} ago`;
}

function unitOf(distanceMs: number): readonly [number, string] {
  if (distanceMs < minuteMs) return [1_000, 's'];
  if (distanceMs < hourMs) return [minuteMs, 'min'];
  if (distanceMs < 2 * dayMs) return [hourMs, 'h'];
  return [dayMs, 'days'];
}

/** In the zone of the reader. */
export const exact = (atMs: number): string =>
  new Date(atMs).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function duration(ms: number): string {
  if (ms < 1) return '< 1 ms';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < minuteMs) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min ${Math.round((ms % minuteMs) / 1_000)} s`;
  return `${Math.floor(ms / hourMs)} h ${Math.round((ms % hourMs) / minuteMs)} min`;
}

export const count = (number: number): string => number.toLocaleString('en');

/** "512 B", "2.4 KiB", "16 MiB". */
export function bytes(number: number): string {
  if (number < 1_024) return `${number} B`;
  const isSmall = number < 1_024 * 1_024;
  const scaled = number / (isSmall ? 1_024 : 1_024 * 1_024);
  return `${scaled.toFixed(scaled < 10 ? 1 : 0)} ${isSmall ? 'KiB' : 'MiB'}`;
}

/** "1 event", "1,200 events". */
export const counted = (number: number, noun: string): string => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;

/** One line of text from any JSON, for lists. */
export function oneLine(value: unknown, unitsMax = 160): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > unitsMax ? `${text.slice(0, unitsMax)}…` : text;
}

/** Ready to paste into a shell, whatever the text holds. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** "A → B" from left to right, also where the names are written from right to left: each is isolated. */
export const fromTo = (from: string, to: string): string => `\u2068${from}\u2069 → \u2068${to}\u2069`;
