// Decides when retention moves, and how far.
import type { Millis } from '../message.ts';
import type { RetentionMoved } from './messages.ts';

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
/** Retention moves in steps, so that the cost of a step is shared by many records. */
const retentionStepMs = hourMs;
/** A hook's outcome and the start of its deploy can have timestamps of different machines, whose clocks differ. */
const clockSkewMs = hourMs;

/** If the log is too large, this part of the kept time is deleted: */
const sizeStepFraction = 1 / 8;
/** a day at most, an hour at least, and never records younger than an hour. */
const sizeStepMs = { least: hourMs, most: dayMs };
const minimumAgeMs = hourMs;

/**
 * A clock further than this ahead of the last decision might be wrong: the time used then advances by a day at most,
 * once an hour.
 */
const clockAdvanceMaxMs = dayMs;
const clockDoubtMs = hourMs;

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
  /** The last RetentionMoved; undefined: there was none. */
  readonly last: RetentionMoved | undefined;
  /** Time since this process last moved retention or started, by a monotonic clock. */
  readonly waitedMs: number;
  /** When the oldest unfinished deploy began; undefined: there is none. */
  readonly deployingSince: Millis | undefined;
}

/** The next RetentionMoved; undefined: retention would move by less than a step. */
export function decideRetention(input: RetentionInput): RetentionMoved | undefined {
  const { last, deployingSince } = input;
  const clock = trustedClock(input);
  const before = Math.max(beforeByAge(input, clock), beforeBySize(input, clock));
  if (before - (last?.before ?? -Infinity) < retentionStepMs || before === -Infinity) return undefined;
  const hooksBefore = Math.min(before, (deployingSince ?? Infinity) - clockSkewMs);
  const moved = { before, hooksBefore: Math.max(hooksBefore, last?.hooksBefore ?? hooksBefore) };
  return clock === undefined ? moved : { ...moved, clock };
}

/** The time to decide by: a clock that is years ahead must not delete years of records. Undefined: none yet. */
function trustedClock({ now, last, waitedMs }: RetentionInput): Millis | undefined {
  const latest = last?.clock === undefined ? now : last.clock + clockAdvanceMaxMs;
  if (now <= latest) return now;
  return waitedMs < clockDoubtMs ? last?.clock : latest;
}

const beforeByAge = ({ days }: RetentionInput, clock: Millis | undefined): number =>
  days === 0 || clock === undefined ? -Infinity : clock - days * dayMs;

/**
 * Deletes the oldest part; the next decision sees whether that was enough. Uses the trusted clock, because one that is
 * ahead would delete the last hour, and newer records once it is set right. Without an age limit it uses the clock
 * itself: the last RetentionMoved can be months old.
 */
function beforeBySize({ now: wall, days, size, last }: RetentionInput, clock: Millis | undefined): number {
  if (size === undefined || size.usedBytes <= size.bytesMax) return -Infinity;
  const now = days === 0 ? wall : (clock ?? wall);
  const from = Math.max(size.oldest, last?.before ?? -Infinity);
  const { least, most } = sizeStepMs;
  const step = Math.min(Math.max(Math.floor((now - from) * sizeStepFraction), least), most);
  return Math.min(from + step, now - minimumAgeMs);
}
