// What happened in the last hour or the last day: events, deliveries and what failed, as bars over time.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { SegmentedControl } from '@mantine/core';
import { get } from '../api/http.ts';
import type { Stats } from '../api/records.ts';
import { Card } from '../parts/page.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Bars } from '../parts/chart/bars.tsx';

type Step = 'minute' | 'hour';

const refetchMs = { minute: 10_000, hour: 60_000 } as const;

const choices: readonly { readonly value: Step; readonly label: string }[] = [
  { value: 'minute', label: 'Last hour' },
  { value: 'hour', label: 'Last day' },
];

const charts = [
  { title: 'Events', of: 'events', bad: undefined },
  { title: 'Runs', of: 'runs', bad: 'failed_runs' },
  { title: 'Delivery attempts', of: 'attempts', bad: 'failed_attempts' },
] as const;

export function Activity(): ReactNode {
  const [step, setStep] = useState<Step>('minute');
  const stats = useQuery({
    queryKey: ['stats', step],
    queryFn: ({ signal }) => get<{ readonly data: readonly Stats[] }>('/v1/stats', { query: { step }, signal }),
    refetchInterval: refetchMs[step],
  });
  const choose = (
    <SegmentedControl
      size="xs"
      aria-label="Time shown"
      data={[...choices]}
      value={step}
      onChange={(value) => setStep(value as Step)}
    />
  );
  return (
    <Card title="Activity" actions={choose}>
      {stats.isPending ? <Loading rows={3} /> : null}
      {stats.isError && stats.data === undefined ? <Failed error={stats.error} /> : null}
      {stats.data === undefined ? null : (
        <div className="charts">
          {charts.map(({ title, of, bad }) => (
            <Bars
              key={title}
              title={title}
              step={step}
              bars={stats.data.data.map((one) => ({ ts: one.ts, all: one[of], bad: bad === undefined ? 0 : one[bad] }))}
            />
          ))}
        </div>
      )}
    </Card>
  );
}
