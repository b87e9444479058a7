// The counts of delivery attempts in a minute or an hour, as the API shows them.
import type { MinuteCounts } from '../../../../domain/views/index.ts';
import type { AttemptStatsRecord } from './stats.dto.ts';

export function presentAttempts(counts: MinuteCounts): Omit<AttemptStatsRecord, 'ts'> {
  const { attempts = 0, failedAttempts = 0, parked = 0, attemptMs = 0, slowestMs = 0 } = counts;
  const { firstAttempts = 0, lagMs = 0, longestLagMs = 0 } = counts;
  return {
    attempts,
    failed_attempts: failedAttempts,
    parked,
    mean_attempt_ms: attempts === 0 ? null : Math.round(attemptMs / attempts),
    slowest_attempt_ms: attempts === 0 ? null : slowestMs,
    first_attempts: firstAttempts,
    mean_lag_ms: firstAttempts === 0 ? null : Math.round(lagMs / firstAttempts),
    longest_lag_ms: firstAttempts === 0 ? null : longestLagMs,
  };
}
