// When retention moves, and how far.
import type { Millis } from '../message.ts';
import type { RetentionMoved } from './messages.ts';

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
/** It moves in steps, so that what each costs is spent on many records. */
export const retentionStepMs = hourMs;
/** Outcomes of hooks are stamped by another process than the deploy's beginning, maybe of another machine. */
const clocksApartMs = hourMs;

export interface RetentionInput {
  readonly now: Millis;
  /** 0: for ever. */
  readonly days: number;
  /** The last fact. */
  readonly last: RetentionMoved | undefined;
  /** When the oldest deploy under way began; undefined: none is under way. */
  readonly deployingSince: Millis | undefined;
}

/** The next fact; undefined: it has not moved by a step. */
export function decideRetention({ now, days, last, deployingSince }: RetentionInput): RetentionMoved | undefined {
  if (days === 0) return undefined;
  const before = now - days * dayMs;
  if (last !== undefined && before - last.before < retentionStepMs) return undefined;
  const hooksBefore = Math.min(before, (deployingSince ?? Infinity) - clocksApartMs);
  return { before, hooksBefore: Math.max(hooksBefore, last?.hooksBefore ?? hooksBefore) };
}
