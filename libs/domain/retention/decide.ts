// When retention moves, and how far.
import type { Millis } from '../message.ts';
import type { RetentionMoved } from './messages.ts';

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
/** Retention moves in steps, so that the cost of a step is shared by many records. */
const retentionStepMs = hourMs;
/** A hook's outcome and the start of its deploy have timestamps of different processes, maybe on different machines. */
const clocksApartMs = hourMs;

/** When the log is too large, this part of the kept time is deleted ... */
const partForBytes = 1 / 8;
/** ... a day at most, an hour at least, and never records younger than an hour. */
const stepForBytesMs = { least: hourMs, most: dayMs };
const youngestMs = hourMs;

/**
 * A clock further than this ahead of the last decision may be wrong: the time used advances by a day at most, once an
 * hour.
 */
const believedAtOnceMs = dayMs;
const doubtMs = hourMs;

/** The size of the log and its limit. */
export interface RetentionSize {
  readonly usedBytes: number;
  readonly bytesMax: number;
  /** Time of the oldest record left. */
  readonly oldest: Millis;
}

export interface RetentionInput {
  readonly now: Millis;
  /** 0: forever. */
  readonly days: number;
  /** Absent: no size limit, or an earlier deletion for size is not finished. */
  readonly size?: RetentionSize | undefined;
  /** The last fact. */
  readonly last: RetentionMoved | undefined;
  /** Time since this process last moved retention or started, by a monotonic clock. */
  readonly waitedMs: number;
  /** When the oldest deploy under way began; undefined: none is under way. */
  readonly deployingSince: Millis | undefined;
}

/** The next fact; undefined: retention would move by less than a step. */
export function decideRetention(input: RetentionInput): RetentionMoved | undefined {
  const { last, deployingSince } = input;
  const clock = believed(input);
  const before = Math.max(beforeByAge(input, clock), beforeBySize(input, clock));
  if (before - (last?.before ?? -Infinity) < retentionStepMs || before === -Infinity) return undefined;
  const hooksBefore = Math.min(before, (deployingSince ?? Infinity) - clocksApartMs);
  const moved = { before, hooksBefore: Math.max(hooksBefore, last?.hooksBefore ?? hooksBefore) };
  return clock === undefined ? moved : { ...moved, clock };
}

/** The time to decide by: a clock that is years ahead must not delete years of records. Undefined: not this time. */
function believed({ now, last, waitedMs }: RetentionInput): Millis | undefined {
  const most = last?.clock === undefined ? now : last.clock + believedAtOnceMs;
  if (now <= most) return now;
  return waitedMs < doubtMs ? last?.clock : most;
}

const beforeByAge = ({ days }: RetentionInput, clock: Millis | undefined): number =>
  days === 0 || clock === undefined ? -Infinity : clock - days * dayMs;

/**
 * Deletes the oldest part; whether that was enough shows afterwards. By the believed clock, or else one that is ahead
 * would delete the last hour, and what comes once it is set right. Without an age limit the last fact may be months old.
 */
function beforeBySize({ now: wall, days, size, last }: RetentionInput, clock: Millis | undefined): number {
  if (size === undefined || size.usedBytes <= size.bytesMax) return -Infinity;
  const now = days === 0 ? wall : (clock ?? wall);
  const from = Math.max(size.oldest, last?.before ?? -Infinity);
  const { least, most } = stepForBytesMs;
  const step = Math.min(Math.max(Math.floor((now - from) * partForBytes), least), most);
  return Math.min(from + step, now - youngestMs);
}
