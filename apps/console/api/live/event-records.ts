// Events as lists and streams bring them: their order, what is kept of a large one, and which text finds them.
import type { EventSummary } from '../records.ts';

/** Larger ones are kept as the beginning of their text, and read whole when somebody opens one. */
export const largeTextUnits = 16_384;
/** Characters of a large event that a list keeps, as many as the service lists of one. */
const keptUnits = 1_024;

/** Event ids are a time in ms and a number within it; as text 10 would stand before 9. */
export function compareEventIds(a: string, b: string): number {
  const [aMs = 0, aNumber = 0] = a.split('-').map(Number);
  const [bMs = 0, bNumber = 0] = b.split('-').map(Number);
  return aMs - bMs || aNumber - bNumber;
}

/** Large ones are cut as the list has them. */
export function streamedEvent(text: string): EventSummary {
  const record = JSON.parse(text) as EventSummary;
  if (text.length <= largeTextUnits) return record;
  return { ...record, event: JSON.stringify(record.event).slice(0, keptUnits), truncated: true };
}

/** The cursor behind which the first event is this one: paging towards newer events begins after it. */
export function cursorBefore(eventId: string): string {
  const [ms = 0, number = 0] = eventId.split('-').map(Number);
  return number > 0 ? `${ms}-${number - 1}` : `${ms - 1}-999999`;
}

/** Any field, in upper or lower case. */
export function matching(events: readonly EventSummary[], text: string): readonly EventSummary[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return events;
  return events.filter(({ event, metadata }) => JSON.stringify([event, metadata]).toLowerCase().includes(wanted));
}
