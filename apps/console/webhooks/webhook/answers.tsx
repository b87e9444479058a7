// How the receiver of a webhook has answered over hours and days: attempts, those that failed, and how long they took.
import type { ReactNode } from 'react';
import { Bars } from '../../parts/chart/bars.tsx';
import { Columns } from '../../parts/chart/columns.tsx';
import { OverTime } from '../../parts/chart/over-time.tsx';
import type { Counted } from '../../parts/chart/spans.ts';
import { duration, exact } from '../../parts/format.ts';
import { meanOf } from './latency.ts';

export const Answers = ({ id }: { readonly id: string }): ReactNode => (
  <OverTime
    title="Over time"
    path={`/v1/webhooks/${encodeURIComponent(id)}/stats`}
    charts={(stats, per) => (
      <>
        <Bars
          title="Attempts"
          per={per}
          bars={stats.map(({ ts, attempts, failed_attempts }) => ({ ts, all: attempts, bad: failed_attempts }))}
        />
        <Bars title="Parked" per={per} bars={stats.map(({ ts, parked }) => ({ ts, all: parked, bad: parked }))} />
        <Durations stats={stats} per={per} />
      </>
    )}
  />
);

interface DurationsProps {
  readonly stats: readonly Counted[];
  readonly per: string;
}

function Durations({ stats, per }: DurationsProps): ReactNode {
  const { meanMs, slowestMs } = meanOf(stats);
  return (
    <figure className="chart">
      <figcaption>
        <span className="dim small">Time to answer, mean</span>
        <strong>{meanMs === undefined ? '–' : duration(meanMs)}</strong>
        {slowestMs === undefined ? null : <span className="dim small">slowest {duration(slowestMs)}</span>}
      </figcaption>
      <Columns
        label={
          meanMs === undefined
            ? 'Time to answer: no attempts'
            : `Time to answer, mean of each ${per}: ${duration(meanMs)} in all, the slowest ${duration(slowestMs ?? 0)}`
        }
        columns={stats.map(({ ts, mean_attempt_ms: mean, slowest_attempt_ms: slowest }) => ({
          ...{ key: ts, all: mean ?? 0, bad: 0 },
          title: `${exact(ts)}: ${mean === null ? 'no attempts' : `${duration(mean)}, the slowest ${duration(slowest ?? 0)}`}`,
        }))}
      />
    </figure>
  );
}
