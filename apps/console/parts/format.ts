// Formats times, durations, counts and names for people; the clock is an argument.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** In the largest fitting unit, seconds to days; a future time reads "in 5 min". */
export function formatRelativeTime(atMs: number, nowMs: number): string {
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

/** Made once: lists format hundreds of times a second, and to make one takes longer than to use it. */
const exactTimes = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** In the reader's time zone. */
export const formatExactTime = (atMs: number): string => exactTimes.format(atMs);

export function formatDuration(ms: number): string {
  if (ms < 1) return '< 1 ms';
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  // Rounded before it is divided, so that no minute shows 60 s.
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return seconds < 3_600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const formatCount = (number: number): string => number.toLocaleString('en');

/** "512 B", "2.4 KiB", "16 MiB". */
export function formatBytes(number: number): string {
  if (number < 1_024) return `${number} B`;
  const isSmall = number < 1_024 * 1_024;
  const scaled = number / (isSmall ? 1_024 : 1_024 * 1_024);
  return `${scaled.toFixed(scaled < 10 ? 1 : 0)} ${isSmall ? 'KiB' : 'MiB'}`;
}

/** "1 event", "1,200 events". */
export const pluralize = (number: number, noun: string): string =>
  `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;

/** Any JSON as one line of text for lists, cut after `unitsMax`. */
export function oneLine(value: unknown, unitsMax = 160): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > unitsMax ? `${text.slice(0, unitsMax).toWellFormed()}…` : text;
}

/** Quotes any text so that it can be pasted into a shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Letters of right-to-left scripts, and marks that set the direction of text. */
const bidiChars =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]|[\ud802\ud803\ud83a\ud83b]/;

/** Isolates a foreign name within a text, so that a direction set in it ends with it. Other names stay unchanged. */
export function isolateBidi(text: string): string {
  if (!bidiChars.test(text)) return text;
  let depth = 0;
  const balanced = text.replaceAll(/[\u2028\u2029\u2066-\u2069]/g, (mark) => {
    // A paragraph separator would end the isolate early.
    if (mark < '\u2066') return ' ';
    depth += mark === '\u2069' ? -1 : 1;
    if (depth >= 0) return mark;
    depth = 0;
    return '';
  });
  return `\u2068${balanced}${'\u2069'.repeat(depth + 1)}`;
}

/** "A → B" from left to right, even if the names are written from right to left. */
export const fromTo = (from: string, to: string): string => `${isolateBidi(from)} → ${isolateBidi(to)}`;
