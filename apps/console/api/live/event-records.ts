// Events of lists and streams: compares their order, shortens large ones, and searches their text.
import type { EventSummary } from '../records.ts';

/** Of a larger event only the beginning of its text is kept; the whole is loaded when the user opens it. */
export const largeTextUnits = 16_384;
/** Characters of a large event that are kept: as many as the service itself lists. */
const keptUnits = 1_024;

/** An event id is a time in ms and a number within it: compared as text, 10 would sort before 9. */
export function compareEventIds(a: string, b: string): number {
  const [aMs = 0, aNumber = 0] = a.split('-').map(Number);
  const [bMs = 0, bNumber = 0] = b.split('-').map(Number);
  return aMs - bMs || aNumber - bNumber;
}

/** Parses an event of a stream; a large one is cut as in a list. */
export function parseStreamedEvent(text: string): EventSummary {
  const record = JSON.parse(text) as EventSummary;
  if (text.length <= largeTextUnits) return record;
  return { ...record, event: JSON.stringify(record.event).slice(0, keptUnits), truncated: true };
}

/** The cursor after which this event is the first one: pages of newer events begin with it. */
export function cursorBefore(eventId: string): string {
  const [ms = 0, number = 0] = eventId.split('-').map(Number);
  return number > 0 ? `${ms}-${number - 1}` : `${ms - 1}-999999`;
}

/** Searches all fields, ignoring case. */
export function filterEvents(events: readonly EventSummary[], text: string): readonly EventSummary[] {
  const searchText = text.trim().toLowerCase();
  if (searchText === '') return events;
  return events.filter(({ event, metadata }) => JSON.stringify([event, metadata]).toLowerCase().includes(searchText));
}
