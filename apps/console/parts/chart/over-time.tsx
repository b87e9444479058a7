// A card of charts that all show the same span of time up to now, which the reader chooses.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { SegmentedControl } from '@mantine/core';
import { spans } from './spans.ts';
import type { StatsStep, Span } from './spans.ts';
import { useStats } from './use-stats.ts';
import { Card } from '../page.tsx';
import { Failed, Loading } from '../states.tsx';

const choices = Object.entries(spans).map(([value, { label }]) => ({ value, label }));

interface OverTimeProps {
  readonly title: string;
  /** The API path of the counts. */
  readonly path: string;
  /** `per`: the time that one record covers, such as `hour`. */
  readonly charts: (stats: readonly StatsStep[], per: string) => ReactNode;
}

export function OverTime({ title, path, charts }: OverTimeProps): ReactNode {
  const [span, setSpan] = useState<Span>('hour');
  const stats = useStats(path, span);
  const spanControl = (
    <SegmentedControl
      size="xs"
      aria-label="Time shown, up to now"
      data={choices}
      value={span}
      onChange={(value) => setSpan(value as Span)}
    />
  );
  return (
    <Card title={title} actions={spanControl}>
      {stats.isPending ? <Loading rows={3} /> : null}
      {stats.isError && stats.data === undefined ? (
        <Failed error={stats.error} retry={() => void stats.refetch()} />
      ) : null}
      {stats.data === undefined ? null : <div className="charts">{charts(stats.data, spans[span].bar)}</div>}
    </Card>
  );
}
