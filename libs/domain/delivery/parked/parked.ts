// Keeps the times of a cursor's parked events in a few spans, so that retention can count old ones as expired.
import type { Millis } from '../../message.ts';
import { addExpired, type CursorPosition } from '../cursor.ts';
import type { CursorCounters, ParkedSpan, ParkedTimes } from '../messages.ts';

/** Bounded because every flush writes them. Further spans are joined: all events of a span expire with its newest. */
export const parkedSpansMax = 16;

const noParkedTimes: ParkedTimes = { expiredBelow: 0, spans: [] };

/** Notes the time of an event that has just been counted as parked. */
export function recordParked(cursor: CursorPosition, time: Millis): CursorPosition {
  const { spans } = cursor.counters.parkedTimes ?? noParkedTimes;
  const index = spans.findIndex(({ to }) => time <= to);
  const existing = spans[index];
  const at = index === -1 ? spans.length : index;
  const isWithin = existing !== undefined && existing.from <= time;
  const span = isWithin ? { ...existing, count: existing.count + 1 } : { from: time, to: time, count: 1 };
  return withSpans(cursor, joinExcessSpans(spans.toSpliced(at, isWithin ? 1 : 0, span)));
}

/** Counts events of these times as delivered instead of parked, if they are counted as parked. */
export function moveToDelivered(cursor: CursorPosition, times: readonly Millis[]): CursorPosition {
  let result = cursor;
  for (const time of times) {
    const remaining = withoutParked(result, time);
    if (remaining === undefined) continue;
    result = { ...remaining, counters: { ...remaining.counters, delivered: remaining.counters.delivered + 1 } };
  }
  return result;
}

/**
 * Makes one parked event unfinished again. It is taken from the parked ones; from the expired ones, if retention has
 * counted it there; or from the delivered ones, as which earlier versions counted parked events.
 */
export function reopenParked(cursor: CursorPosition, time: Millis): CursorPosition {
  const remaining = withoutParked(cursor, time);
  if (remaining !== undefined) return remaining;
  const { counters } = cursor;
  const { delivered, expired, parkedTimes } = counters;
  const isExpired = time < (parkedTimes?.expiredBelow ?? 0) && expired.retention > 0;
  if (isExpired) return { ...cursor, counters: { ...counters, expired: addExpired(counters, 'overtaken', -1) } };
  return { ...cursor, counters: { ...counters, delivered: Math.max(delivered - 1, 0) } };
}

/** Counts parked events before this time as expired; returns the same cursor if there are none. */
export function expireParked(cursor: CursorPosition, before: Millis): CursorPosition {
  const { counters } = cursor;
  const { spans } = counters.parkedTimes ?? noParkedTimes;
  const expiredSpans = spans.filter(({ to }) => to < before);
  if (expiredSpans.length === 0) return cursor;
  const count = expiredSpans.reduce((sum, span) => sum + span.count, 0);
  const parkedTimes = { expiredBelow: before, spans: spans.slice(expiredSpans.length) };
  const expired = addExpired(counters, 'overtaken', count);
  return { ...cursor, counters: { ...counters, parked: counters.parked - count, expired, parkedTimes } };
}

/** Adds the times if an earlier version wrote the record: its parked events are not newer than the record, `at`. */
export function withParkedTimes({ parked, ...others }: CursorCounters, at: Millis): CursorCounters {
  const { expiredBelow, spans } = others.parkedTimes ?? noParkedTimes;
  if (spans.reduce((sum, { count }) => sum + count, 0) === parked) return { parked, ...others };
  const unknownSpans = parked === 0 ? [] : [{ from: 0, to: at, count: parked }];
  return { parked, ...others, parkedTimes: { expiredBelow, spans: unknownSpans } };
}

/** The cursor with one parked event less; undefined: no event of this time is counted as parked. */
function withoutParked(cursor: CursorPosition, time: Millis): CursorPosition | undefined {
  const { counters } = cursor;
  const { spans } = counters.parkedTimes ?? noParkedTimes;
  const index = spans.findIndex(({ from, to }) => from <= time && time <= to);
  const span = spans[index];
  if (span === undefined) return undefined;
  const remainder = span.count === 1 ? [] : [{ ...span, count: span.count - 1 }];
  const counted = { ...cursor, counters: { ...counters, parked: counters.parked - 1 } };
  return withSpans(counted, spans.toSpliced(index, 1, ...remainder));
}

function withSpans(cursor: CursorPosition, spans: readonly ParkedSpan[]): CursorPosition {
  const { counters } = cursor;
  const { expiredBelow } = counters.parkedTimes ?? noParkedTimes;
  return { ...cursor, counters: { ...counters, parkedTimes: { expiredBelow, spans } } };
}

/** If there is one span too many, joins the two neighbours that are closest together. */
function joinExcessSpans(spans: readonly ParkedSpan[]): readonly ParkedSpan[] {
  if (spans.length <= parkedSpansMax) return spans;
  let [closest, leastMs] = [0, Infinity];
  for (const [index, { from }] of spans.slice(0, -1).entries()) {
    const ms = (spans[index + 1]?.to ?? Infinity) - from;
    if (ms < leastMs) [closest, leastMs] = [index, ms];
  }
  const pair = spans.slice(closest, closest + 2);
  const joined = {
    from: Math.min(...pair.map(({ from }) => from)),
    to: Math.max(...pair.map(({ to }) => to)),
    count: pair.reduce((sum, { count }) => sum + count, 0),
  };
  return spans.toSpliced(closest, 2, joined);
}
