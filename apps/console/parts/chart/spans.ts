// The time spans that charts show: the query for each, and how many steps of the answer make one bar.
import type { AttemptStats, Stats } from '../../api/records.ts';

export type Span = 'hour' | 'day' | 'week' | 'month';

interface SpanConfig {
  readonly label: string;
  readonly step: 'minute' | 'hour';
  readonly steps: number;
  readonly stepsPerBar: number;
  /** The time that one bar covers. */
  readonly bar: string;
}

export const spans: Readonly<Record<Span, SpanConfig>> = {
  hour: { label: '1 hour', step: 'minute', steps: 60, stepsPerBar: 1, bar: 'minute' },
  day: { label: '24 hours', step: 'hour', steps: 24, stepsPerBar: 1, bar: 'hour' },
  week: { label: '7 days', step: 'hour', steps: 168, stepsPerBar: 6, bar: '6 hours' },
  month: { label: '30 days', step: 'hour', steps: 720, stepsPerBar: 24, bar: '24 hours' },
};

const stepMs = { minute: 60_000, hour: 3_600_000 } as const;

/** Queries the last steps up to now, including the current one. */
export function queryOf(span: Span, nowMs: number): Readonly<Record<string, string | number>> {
  const { step, steps } = spans[span];
  return { step, from: nowMs - (steps - 1) * stepMs[step] };
}

/** The counts of a single webhook have no events and no runs. */
export type StatsStep = AttemptStats & Partial<Stats>;

/** Joins each `size` steps into one, from the newest back: the oldest group can have fewer. */
export function groupSteps(steps: readonly StatsStep[], size: number): readonly StatsStep[] {
  const groups: StatsStep[] = [];
  for (let end = steps.length; end > 0; end -= size) {
    const [first, ...others] = steps.slice(Math.max(0, end - size), end);
    if (first !== undefined) groups.unshift(others.reduce(mergeSteps, first));
  }
  return groups;
}

function mergeSteps(one: StatsStep, next: StatsStep): StatsStep {
  const attempts = one.attempts + next.attempts;
  const firstAttempts = one.first_attempts + next.first_attempts;
  return {
    ts: one.ts,
    events: (one.events ?? 0) + (next.events ?? 0),
    runs: (one.runs ?? 0) + (next.runs ?? 0),
    failed_runs: (one.failed_runs ?? 0) + (next.failed_runs ?? 0),
    attempts,
    failed_attempts: one.failed_attempts + next.failed_attempts,
    parked: one.parked + next.parked,
    mean_attempt_ms: meanOf([
      [one.attempts, one.mean_attempt_ms],
      [next.attempts, next.mean_attempt_ms],
    ]),
    slowest_attempt_ms: attempts === 0 ? null : Math.max(one.slowest_attempt_ms ?? 0, next.slowest_attempt_ms ?? 0),
    first_attempts: firstAttempts,
    mean_lag_ms: meanOf([
      [one.first_attempts, one.mean_lag_ms],
      [next.first_attempts, next.mean_lag_ms],
    ]),
    longest_lag_ms: firstAttempts === 0 ? null : Math.max(one.longest_lag_ms ?? 0, next.longest_lag_ms ?? 0),
  };
}

/** The mean of means, each weighted by its count; null if the counts sum to 0. */
export function meanOf(parts: readonly (readonly [count: number, mean: number | null])[]): number | null {
  const count = parts.reduce((sum, [weight]) => sum + weight, 0);
  return count === 0 ? null : parts.reduce((sum, [weight, mean]) => sum + weight * (mean ?? 0), 0) / count;
}
