// Summarizes attempts in numbers: failed, median and slowest.
import type { Attempt } from '../../api/records.ts';

export interface Latency {
  readonly failed: number;
  readonly medianMs: number;
  readonly slowestMs: number;
}

/** All 0 without attempts. */
export function latencyOf(attempts: readonly Pick<Attempt, 'outcome' | 'duration_ms'>[]): Latency {
  const sorted = attempts.map(({ duration_ms }) => duration_ms).toSorted((a, b) => a - b);
  return {
    failed: attempts.filter(({ outcome }) => outcome === 'failed').length,
    medianMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0,
    slowestMs: sorted.at(-1) ?? 0,
  };
}
