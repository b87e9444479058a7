// A chart with a bar for the mean duration in each time step, below the overall mean and the longest duration.
import type { ReactNode } from 'react';
import { formatDuration, formatExactTime } from '../format.ts';
import { Columns } from './columns.tsx';
import { meanOf } from './spans.ts';

interface Duration {
  /** Epoch ms. */
  readonly ts: number;
  /** How many durations; 0: there is no mean. */
  readonly count: number;
  readonly meanMs: number | null;
  readonly longestMs: number | null;
}

interface DurationsProps {
  readonly title: string;
  /** The time that one bar covers, such as `hour`. */
  readonly per: string;
  readonly durations: readonly Duration[];
}

export function Durations({ title, per, durations }: DurationsProps): ReactNode {
  const meanMs = meanOf(durations.map(({ count, meanMs: mean }) => [count, mean]));
  const longest = formatDuration(Math.max(0, ...durations.map(({ longestMs }) => longestMs ?? 0)));
  return (
    <figure className="chart">
      <figcaption>
        <span className="dim small">{title}, mean</span>
        <strong>{meanMs === null ? '–' : formatDuration(meanMs)}</strong>
        {meanMs === null ? null : <span className="dim small">longest {longest}</span>}
      </figcaption>
      <Columns
        label={
          meanMs === null
            ? `${title}: none`
            : `${title}, mean of each ${per}: ${formatDuration(meanMs)} in all, longest ${longest}`
        }
        columns={durations.map(({ ts, meanMs: mean, longestMs }) => ({
          all: mean ?? 0,
          bad: 0,
          title: () =>
            `${formatExactTime(ts)}: ${mean === null ? 'none' : `${formatDuration(mean)}, longest ${formatDuration(longestMs ?? 0)}`}`,
        }))}
      />
    </figure>
  );
}

interface LagProps {
  readonly per: string;
  readonly stats: readonly (Pick<Duration, 'ts'> & {
    readonly first_attempts: number;
    readonly mean_lag_ms: number | null;
    readonly longest_lag_ms: number | null;
  })[];
}

/** How long events waited for their first attempts. */
export const Lag = ({ per, stats }: LagProps): ReactNode => (
  <Durations
    title="Lag"
    per={per}
    durations={stats.map(({ ts, first_attempts, mean_lag_ms, longest_lag_ms }) => ({
      ts,
      count: first_attempts,
      meanMs: mean_lag_ms,
      longestMs: longest_lag_ms,
    }))}
  />
);
