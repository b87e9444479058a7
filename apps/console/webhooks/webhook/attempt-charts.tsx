// Charts of a webhook's attempts over hours and days: how many, how many failed, and how long they took.
import type { ReactNode } from 'react';
import { Bars } from '../../parts/chart/bars.tsx';
import { Durations, Lag } from '../../parts/chart/durations.tsx';
import { OverTime } from '../../parts/chart/over-time.tsx';

export const AttemptCharts = ({ id }: { readonly id: string }): ReactNode => (
  <OverTime
    title="Over time"
    path={`/v1/webhooks/${encodeURIComponent(id)}/stats`}
    charts={(stats, per) => (
      <>
        <Bars
          title="Attempts"
          bad="failed"
          per={per}
          bars={stats.map(({ ts, attempts, failed_attempts }) => ({ ts, all: attempts, bad: failed_attempts }))}
        />
        <Bars title="Parked" per={per} bars={stats.map(({ ts, parked }) => ({ ts, all: parked, bad: parked }))} />
        <Durations
          title="Answer time"
          per={per}
          durations={stats.map(({ ts, attempts, mean_attempt_ms, slowest_attempt_ms }) => ({
            ts,
            count: attempts,
            meanMs: mean_attempt_ms,
            longestMs: slowest_attempt_ms,
          }))}
        />
        <Lag per={per} stats={stats} />
      </>
    )}
  />
);
