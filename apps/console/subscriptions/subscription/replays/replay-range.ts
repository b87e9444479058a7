// Converts a range of whole hours in the last week between the slider and the date and time fields.

export const hoursShown = 168;
const hourMs = 3_600_000;

/** The end of the current hour, where the slider ends; epoch ms. */
export const endOf = (nowMs: number): number => Math.ceil((nowMs + 1) / hourMs) * hourMs;

/** Epoch ms of a slider position, from 0. */
export const timeAt = (hour: number, endMs: number): number => endMs - (hoursShown - hour) * hourMs;

/** The slider position of a field's time; `empty`: the position for an empty field. */
export function hourOf(field: string, endMs: number, empty: number): number {
  if (field === '') return empty;
  const hour = Math.round((Date.parse(field) - timeAt(0, endMs)) / hourMs);
  return Math.min(hoursShown, Math.max(0, hour));
}

/**
 * The ends of the slider mean the oldest event and now, as empty fields. Times are in UTC: when clocks are set
 * back, one hour occurs twice in the reader's zone, and its local text would mean the first.
 */
export const fieldsOf = ([from, to]: readonly [number, number], endMs: number): { from: string; to: string } => ({
  from: from === 0 ? '' : new Date(timeAt(from, endMs)).toISOString(),
  to: to === hoursShown ? '' : new Date(timeAt(to, endMs)).toISOString(),
});

/** The value for the browser's date and time field: the reader's zone, to the minute. Typed text is already so. */
export function localField(field: string): string {
  if (!field.endsWith('Z')) return field;
  const at = new Date(field);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
