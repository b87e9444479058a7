// Decides what follows an attempt: delivered, another attempt at a later time, or parked.
import type { Millis } from '../message.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits before attempts 2 to 10, from the Standard Webhooks schedule: 75 h 35 min in all. */
const defaultWaitsMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The random part of a wait: receivers that failed together must not all be retried together. */
const jitter = 0.2;
/** The minimum wait for an overloaded or unreachable receiver, under the default schedule. */
const overloadedWaitMinMs = minute;
const overloadedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** A `Retry-After` of more than a day would keep an event open longer than anybody follows an outage. */
const retryAfterMaxMs = 24 * hour;
/** The longest wait: a day, whether from the default schedule, a custom one or `Retry-After`, plus the jitter. */
export const retryWaitMaxMs = Math.ceil(24 * hour * (1 + jitter));
/** The receiver no longer exists (Standard Webhooks). */
export const goneStatus = 410;

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

export interface AttemptResult {
  /** This attempt's number, from 1. */
  readonly attempt: number;
  /** Null: the receiver did not answer. */
  readonly status: number | null;
  readonly timedOut: boolean;
  readonly retryAfterSeconds?: number | undefined;
}

export type AttemptDecision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly waitMs: Millis }
  | { readonly kind: 'park'; readonly reason: 'attempts_exhausted' | 'gone' };

/**
 * `retrySchedule`: seconds before each retry, taken as given; null: the default. `random`: from 0 up to, not including, 1.
 */
export function decideAfterAttempt(
  result: AttemptResult,
  retrySchedule: readonly number[] | null,
  random: number,
): AttemptDecision {
  const { attempt, status } = result;
  if (status !== null && isSuccess(status)) return { kind: 'delivered' };
  if (status === goneStatus) return { kind: 'park', reason: 'gone' };
  const scheduledMs = retrySchedule === null ? defaultWaitsMs[attempt - 1] : scheduledWaitMs(retrySchedule, attempt);
  if (scheduledMs === undefined) return { kind: 'park', reason: 'attempts_exhausted' };
  const jitteredMs = scheduledMs * (1 - jitter + 2 * jitter * random);
  const isOverloaded = result.timedOut || (status !== null && overloadedStatuses.has(status));
  const leastMs = retrySchedule === null && isOverloaded ? overloadedWaitMinMs : 0;
  const retryAfterMs = Math.min(Math.max(result.retryAfterSeconds ?? 0, 0) * second, retryAfterMaxMs);
  return { kind: 'retry', waitMs: Math.round(Math.max(jitteredMs, leastMs, retryAfterMs)) };
}

/** The number of attempts before an event is parked. */
export const attemptsMax = (retrySchedule: readonly number[] | null): number =>
  (retrySchedule ?? defaultWaitsMs).length + 1;

function scheduledWaitMs(retrySchedule: readonly number[], attempt: number): number | undefined {
  const seconds = retrySchedule[attempt - 1];
  return seconds === undefined ? undefined : seconds * second;
}
