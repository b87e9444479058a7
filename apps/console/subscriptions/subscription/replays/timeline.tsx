// Chooses the range of a replay: a chart of the events in each hour of the last week, and two handles below it.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { RangeSlider } from '@mantine/core';
import { serviceNowMs } from '../../../api/clock/service-clock.ts';
import { get } from '../../../api/http.ts';
import type { Stats } from '../../../api/records.ts';
import { Bars } from '../../../parts/chart/bars.tsx';
import { formatExactTime } from '../../../parts/format.ts';
import { endOf, fieldsOf, hourOf, hoursShown, timeAt } from './replay-range.ts';

interface TimelineProps {
  /** From date and time fields, or in UTC. */
  readonly from: string;
  readonly to: string;
  readonly onChange: (range: { readonly from: string; readonly to: string }) => void;
}

export function Timeline({ from, to, onChange }: TimelineProps): ReactNode {
  const [endMs] = useState(() => endOf(serviceNowMs()));
  const query = { step: 'hour', from: timeAt(0, endMs), to: endMs };
  const stats = useQuery({
    queryKey: ['stats', query],
    queryFn: ({ signal }) => get<{ readonly data: readonly Stats[] }>('/v1/stats', { query, signal }),
  });
  if (stats.data === undefined) return null;
  return (
    <div>
      <Bars
        title="Events of the workspace in the last week"
        per="hour"
        bars={stats.data.data.map(({ ts, events }) => ({ ts, all: events, bad: 0 }))}
      />
      <RangeSlider
        min={0}
        max={hoursShown}
        minRange={1}
        value={[hourOf(from, endMs, 0), hourOf(to, endMs, hoursShown)]}
        label={(hour) => formatExactTime(timeAt(hour, endMs))}
        thumbFromLabel="From, on the timeline"
        thumbToLabel="To, on the timeline"
        onChange={(hours) => onChange(fieldsOf(hours, endMs))}
      />
    </div>
  );
}
