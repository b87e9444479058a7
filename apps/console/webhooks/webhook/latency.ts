// What a chart of attempts says in numbers.
import type { Attempt, AttemptStats } from '../../api/records.ts';

export interface Latency {
  readonly failed: number;
  readonly medianMs: number;
  readonly slowestMs: number;
}

/** Zeros for no attempts. */
export function latencyOf(attempts: readonly Pick<Attempt, 'outcome' | 'duration_ms'>[]): Latency {
  const sorted = attempts.map(({ duration_ms }) => duration_ms).toSorted((a, b) => a - b);
  return {
    failed: attempts.filter(({ outcome }) => outcome === 'failed').length,
    medianMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0,
    slowestMs: sorted.at(-1) ?? 0,
  };
}

interface Mean {
  /** Undefined: there were no attempts. */
  readonly meanMs: number | undefined;
  readonly slowestMs: number | undefined;
}

/** Of all steps together, each by its attempts. */
export function meanOf(
  steps: readonly Pick<AttemptStats, 'attempts' | 'mean_attempt_ms' | 'slowest_attempt_ms'>[],
): Mean {
  const attempts = steps.reduce((sum, step) => sum + step.attempts, 0);
  if (attempts === 0) return { meanMs: undefined, slowestMs: undefined };
  const tookMs = steps.reduce((sum, step) => sum + step.attempts * (step.mean_attempt_ms ?? 0), 0);
  const slowestMs = Math.max(...steps.map((step) => step.slowest_attempt_ms ?? 0));
  return { meanMs: tookMs / attempts, slowestMs };
}
