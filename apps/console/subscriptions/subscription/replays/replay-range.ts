// A range of whole hours within the last week, as a slider has it, and the same as fields of date and time.

export const hoursShown = 168;
const hourMs = 3_600_000;

/** The end of the hour that has begun: where the slider ends. */
export const endOf = (nowMs: number): number => Math.ceil((nowMs + 1) / hourMs) * hourMs;

/** Epoch ms of a place on the slider, from 0 on. */
export const timeAt = (hour: number, endMs: number): number => endMs - (hoursShown - hour) * hourMs;

/** Where a field's time stands on the slider; empty: at its end. */
export function hourOf(field: string, endMs: number, empty: number): number {
  if (field === '') return empty;
  const hour = Math.round((Date.parse(field) - timeAt(0, endMs)) / hourMs);
  return Math.min(hoursShown, Math.max(0, hour));
}

/**
 * The ends of the slider are the oldest event and now: both fields stay empty there. Times are in UTC: when clocks are set
 * back, an hour of the reader's zone comes twice, and its text would mean the first of them.
 */
export const fieldsOf = ([from, to]: readonly [number, number], endMs: number): { from: string; to: string } => ({
  from: from === 0 ? '' : new Date(timeAt(from, endMs)).toISOString(),
  to: to === hoursShown ? '' : new Date(timeAt(to, endMs)).toISOString(),
});

/** As the browser's field of date and time has it: in the reader's zone, to the minute. What was typed is so already. */
export function localField(field: string): string {
  if (!field.endsWith('Z')) return field;
  const at = new Date(field);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
