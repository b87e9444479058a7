// Keeps the times of a cursor's parked events in a few spans, so that retention can count old ones as expired.
import type { Millis } from '../../message.ts';
import { moreExpired, type CursorPosition } from '../cursor.ts';
import type { CursorCounters, ParkedSpan, ParkedTimes } from '../messages.ts';

/** Bounded because every flush writes them. Further spans are joined: all events of a span expire with its newest. */
export const parkedSpansMax = 16;

const none: ParkedTimes = { expiredBelow: 0, spans: [] };

/** Notes the time of an event that has just been counted as parked. */
export function noteParked(cursor: CursorPosition, time: Millis): CursorPosition {
  const { spans } = cursor.counters.parkedTimes ?? none;
  const index = spans.findIndex(({ to }) => time <= to);
  const there = spans[index];
  const at = index === -1 ? spans.length : index;
  const isWithin = there !== undefined && there.from <= time;
  const span = isWithin ? { ...there, count: there.count + 1 } : { from: time, to: time, count: 1 };
  return withSpans(cursor, few(spans.toSpliced(at, isWithin ? 1 : 0, span)));
}

/** Counts events of these times as delivered instead of parked, if they are counted as parked. */
export function unparked(cursor: CursorPosition, times: readonly Millis[]): CursorPosition {
  let changed = cursor;
  for (const time of times) {
    const left = withoutParked(changed, time);
    if (left === undefined) continue;
    changed = { ...left, counters: { ...left.counters, delivered: left.counters.delivered + 1 } };
  }
  return changed;
}

/**
 * Makes one parked event unfinished again. It is taken from the parked ones; from the expired ones, if retention has
 * counted it there; or from the delivered ones, as which earlier versions counted parked events.
 */
export function reopened(cursor: CursorPosition, time: Millis): CursorPosition {
  const left = withoutParked(cursor, time);
  if (left !== undefined) return left;
  const { counters } = cursor;
  const { delivered, expired, parkedTimes } = counters;
  const isExpired = time < (parkedTimes?.expiredBelow ?? 0) && expired.retention > 0;
  if (isExpired) return { ...cursor, counters: { ...counters, expired: moreExpired(counters, 'overtaken', -1) } };
  return { ...cursor, counters: { ...counters, delivered: Math.max(delivered - 1, 0) } };
}

/** Counts parked events before this time as expired; returns the same cursor if there are none. */
export function expireParked(cursor: CursorPosition, before: Millis): CursorPosition {
  const { counters } = cursor;
  const { spans } = counters.parkedTimes ?? none;
  const past = spans.filter(({ to }) => to < before);
  if (past.length === 0) return cursor;
  const count = past.reduce((sum, span) => sum + span.count, 0);
  const parkedTimes = { expiredBelow: before, spans: spans.slice(past.length) };
  const expired = moreExpired(counters, 'overtaken', count);
  return { ...cursor, counters: { ...counters, parked: counters.parked - count, expired, parkedTimes } };
}

/** Adds the times if an earlier version wrote the record: its parked events are not newer than the record, `at`. */
export function knowingTimes({ parked, ...others }: CursorCounters, at: Millis): CursorCounters {
  const { expiredBelow, spans } = others.parkedTimes ?? none;
  if (spans.reduce((sum, { count }) => sum + count, 0) === parked) return { parked, ...others };
  const unknown = parked === 0 ? [] : [{ from: 0, to: at, count: parked }];
  return { parked, ...others, parkedTimes: { expiredBelow, spans: unknown } };
}

/** The cursor with one parked event less; undefined: no event of this time is counted as parked. */
function withoutParked(cursor: CursorPosition, time: Millis): CursorPosition | undefined {
  const { counters } = cursor;
  const { spans } = counters.parkedTimes ?? none;
  const index = spans.findIndex(({ from, to }) => from <= time && time <= to);
  const span = spans[index];
  if (span === undefined) return undefined;
  const rest = span.count === 1 ? [] : [{ ...span, count: span.count - 1 }];
  const counted = { ...cursor, counters: { ...counters, parked: counters.parked - 1 } };
  return withSpans(counted, spans.toSpliced(index, 1, ...rest));
}

function withSpans(cursor: CursorPosition, spans: readonly ParkedSpan[]): CursorPosition {
  const { counters } = cursor;
  const { expiredBelow } = counters.parkedTimes ?? none;
  return { ...cursor, counters: { ...counters, parkedTimes: { expiredBelow, spans } } };
}

/** If there is one span too many, joins the two neighbours that are closest together. */
function few(spans: readonly ParkedSpan[]): readonly ParkedSpan[] {
  if (spans.length <= parkedSpansMax) return spans;
  let [closest, least] = [0, Infinity];
  for (const [index, { from }] of spans.slice(0, -1).entries()) {
    const ms = (spans[index + 1]?.to ?? Infinity) - from;
    if (ms < least) [closest, least] = [index, ms];
  }
  const pair = spans.slice(closest, closest + 2);
  const joined = {
    from: Math.min(...pair.map(({ from }) => from)),
    to: Math.max(...pair.map(({ to }) => to)),
    count: pair.reduce((sum, { count }) => sum + count, 0),
  };
  return spans.toSpliced(closest, 2, joined);
}
