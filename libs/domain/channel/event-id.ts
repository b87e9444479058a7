// Event ids, `<ms>-<seq>`: ms never decreases and seq has no gaps, so a source's ids sort in the order of its events.
import type { Millis } from '../message.ts';

/** What the next event id of a source depends on. */
export interface EventClock {
  /** Seq of the next event. */
  readonly nextSeq: number;
  /** Time of the newest event: no later event may have an earlier time. */
  readonly lastEventMs: Millis;
}

export const initialEventClock: EventClock = { nextSeq: 0, lastEventMs: 0 };

export interface EventStamp {
  readonly eventId: string;
  /** The ms of the id, which is also the record's time. */
  readonly at: Millis;
  readonly clock: EventClock;
}

/** The next event's id at `now`, and the clock after it. If `now` was set back, the newest event's time is used. */
export function stampEvent(clock: EventClock, now: Millis): EventStamp {
  const at = Math.max(now, clock.lastEventMs);
  return { eventId: `${at}-${clock.nextSeq}`, at, clock: { nextSeq: clock.nextSeq + 1, lastEventMs: at } };
}

/** The ids of any number of events that are stamped at the same `now`. */
export interface EventStamps {
  readonly at: Millis;
  readonly idAt: (index: number) => string;
  readonly clockAfter: (count: number) => EventClock;
}

/** The same ids as repeated calls of `stampEvent` return. */
export function stampEvents(clock: EventClock, now: Millis): EventStamps {
  const { nextSeq, lastEventMs } = clock;
  const at = Math.max(now, lastEventMs);
  return {
    at,
    idAt: (index) => `${at}-${nextSeq + index}`,
    clockAfter: (count) => (count === 0 ? { nextSeq, lastEventMs } : { nextSeq: nextSeq + count, lastEventMs: at }),
  };
}

const base = 36;

/** A safe integer as text whose binary order is the numeric order: the number of digits, then the digits. */
function sortKeyOf(part: string): string {
  const digits = Number(part).toString(base);
  return digits.length.toString(base) + digits;
}

/** An event id as text whose binary order is the order of events: `1606511826306-2` -> `8ki0rnuki12`. */
export const eventOrder = (eventId: string): string => eventId.split('-').map(sortKeyOf).join('');

/** An event's number among its source's events: the second part of its id, without gaps and never used twice. */
export const numberOfEvent = (eventId: string): number => Number(eventId.slice(eventId.indexOf('-') + 1));

/** The time in an event's id. */
export const timeOfEvent = (eventId: string): Millis => Number(eventId.slice(0, eventId.indexOf('-')));

export const timeOfOrder = (order: string): Millis =>
  Number.parseInt(order.slice(1, 1 + Number.parseInt(order.slice(0, 1), base)), base);
