// When retention moves, and how far.
import type { Millis } from '../message.ts';
import type { RetentionMoved } from './messages.ts';

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
/** It moves in steps, so that what each costs is spent on many records. */
export const retentionStepMs = hourMs;
/** Outcomes of hooks are stamped by another process than the deploy's beginning, maybe of another machine. */
const clocksApartMs = hourMs;

/** What goes because the log is too large is this part of all that there is ... */
const partForBytes = 1 / 8;
/** ... a day at most, an hour at least, and never what is younger than an hour. */
const stepForBytesMs = { least: hourMs, most: dayMs };
const youngestMs = hourMs;

/** Further than this beyond the last fact the clock may be wrong: it is believed a day at a time, with an hour between. */
const believedAtOnceMs = dayMs;
const doubtMs = hourMs;

/** What is kept by size. */
export interface RetentionSize {
  readonly usedBytes: number;
  readonly bytesMax: number;
  /** Of the oldest record that is left. */
  readonly oldest: Millis;
}

export interface RetentionInput {
  readonly now: Millis;
  /** 0: for ever. */
  readonly days: number;
  /** Absent: any size is kept, or what was to go for it has still to go. */
  readonly size?: RetentionSize | undefined;
  /** The last fact. */
  readonly last: RetentionMoved | undefined;
  /** Since this process moved it or began, by a clock that nobody sets. */
  readonly waitedMs: number;
  /** When the oldest deploy under way began; undefined: none is under way. */
  readonly deployingSince: Millis | undefined;
}

/** The next fact; undefined: it has not moved by a step. */
export function decideRetention(input: RetentionInput): RetentionMoved | undefined {
  const { last, deployingSince } = input;
  const clock = believed(input);
  const before = Math.max(beforeByAge(input, clock), beforeBySize(input));
  if (before - (last?.before ?? -Infinity) < retentionStepMs || before === -Infinity) return undefined;
  const hooksBefore = Math.min(before, (deployingSince ?? Infinity) - clocksApartMs);
  const moved = { before, hooksBefore: Math.max(hooksBefore, last?.hooksBefore ?? hooksBefore) };
  return clock === undefined ? moved : { ...moved, clock };
}

/** The time to go by: a clock that is years ahead must not give up years. Undefined: there is none yet. */
function believed({ now, last, waitedMs }: RetentionInput): Millis | undefined {
  const most = last?.clock === undefined ? now : last.clock + believedAtOnceMs;
  if (now <= most) return now;
  return waitedMs < doubtMs ? last?.clock : most;
}

const beforeByAge = ({ days }: RetentionInput, clock: Millis | undefined): number =>
  days === 0 || clock === undefined ? -Infinity : clock - days * dayMs;

/** The oldest part goes; whether that was enough shows once it is gone. */
function beforeBySize({ now, size, last }: RetentionInput): number {
  if (size === undefined || size.usedBytes <= size.bytesMax) return -Infinity;
  const from = Math.max(size.oldest, last?.before ?? -Infinity);
  const { least, most } = stepForBytesMs;
  const step = Math.min(Math.max(Math.floor((now - from) * partForBytes), least), most);
  return Math.min(from + step, now - youngestMs);
}
