// Charts of recent events, runs and delivery attempts, and how many of them failed, as bars over time.
import type { ReactNode } from 'react';
import { Bars } from '../parts/chart/bars.tsx';
import { Lag } from '../parts/chart/durations.tsx';
import { OverTime } from '../parts/chart/over-time.tsx';

const charts = [
  { title: 'Events', of: 'events', bad: undefined },
  { title: 'Runs', of: 'runs', bad: 'failed_runs' },
  { title: 'Delivery attempts', of: 'attempts', bad: 'failed_attempts' },
] as const;

export const Activity = (): ReactNode => (
  <OverTime
    title="Activity"
    path="/v1/stats"
    charts={(stats, per) => (
      <>
        {charts.map(({ title, of, bad }) => (
          <Bars
            key={title}
            title={title}
            per={per}
            {...(bad === undefined ? {} : { bad: 'failed' })}
            bars={stats.map((one) => ({
              ts: one.ts,
              all: one[of] ?? 0,
              bad: bad === undefined ? 0 : (one[bad] ?? 0),
            }))}
          />
        ))}
        <Lag per={per} stats={stats} />
      </>
    )}
  />
);
