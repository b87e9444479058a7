// Formats times, in the local zone, and durations.

const two = (n: number): string => String(n).padStart(2, '0');

/** `2026-11-23 05:12:07`. */
export function formatLocalTime(epochMs: number): string {
  const at = new Date(epochMs);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

const units = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `3 min ago`, `in 2 h`, `now`. */
export function formatRelativeTime(epochMs: number, nowMs: number): string {
  const distance = Math.abs(nowMs - epochMs);
  for (const [unit, ms] of units) {
    if (distance < ms) continue;
    const count = Math.floor(distance / ms);
    const text = `${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''}`;
    return epochMs > nowMs ? `in ${text}` : `${text} ago`;
  }
  return 'now';
}

/** `850 ms`, `1.5 s`, `2 min 5 s`; rounded before the unit is chosen, so never 1000 ms or 60 s. */
export function formatDuration(ms: number): string {
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${tenths / 10} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
