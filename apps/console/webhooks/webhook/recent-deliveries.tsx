// A chart of a webhook's recent deliveries: a bar for each, as tall as its last attempt took.
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useList } from '../../api/paging.ts';
import type { Attempt, Delivery } from '../../api/records.ts';
import { Columns } from '../../parts/chart/columns.tsx';
import type { ChartColumn } from '../../parts/chart/columns.tsx';
import { pluralize, formatDuration, formatExactTime } from '../../parts/format.ts';
import { Card } from '../../parts/page.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { latencyOf } from './latency.ts';

const refetchMs = 5_000;
const shownMax = 100;

export function RecentDeliveries({ id }: { readonly id: string }): ReactNode {
  const list = useList<Delivery>('/v1/deliveries', { query: { webhook_id: id, limit: shownMax }, refetchMs });
  // Oldest first.
  const attempts = list.items.flatMap(({ attempts: deliveryAttempts }) => deliveryAttempts.at(-1) ?? []).toReversed();
  const allLink = (
    <Button component={Link} size="xs" variant="default" href={`/deliveries?webhook_id=${id}`}>
      All deliveries
    </Button>
  );
  return (
    <Card title="Deliveries" actions={allLink}>
      {list.isLoading ? <Loading rows={2} /> : null}
      {list.error !== null && list.items.length === 0 ? <Failed error={list.error} retry={list.reload} /> : null}
      {!list.isLoading && list.error === null && attempts.length === 0 ? (
        <Empty icon="delivery" title="Nothing sent yet">
          Each event that is sent here shows with its status and how long the receiver took.
        </Empty>
      ) : null}
      {attempts.length === 0 ? null : <Chart attempts={attempts} />}
    </Card>
  );
}

function Chart({ attempts }: { readonly attempts: readonly Attempt[] }): ReactNode {
  const { failed, medianMs, slowestMs } = latencyOf(attempts);
  const summary = `The newest ${pluralize(attempts.length, 'attempt')}: ${failed} failed; median ${formatDuration(medianMs)}, slowest ${formatDuration(slowestMs)}`;
  return (
    <figure className="chart">
      <figcaption className="dim small">{summary}.</figcaption>
      <Columns label={summary} columns={attempts.map(columnOf)} />
    </figure>
  );
}

function columnOf(attempt: Attempt): ChartColumn {
  const { started_at_ms, status, failure, outcome, duration_ms: all } = attempt;
  const title = (): string =>
    `${formatExactTime(started_at_ms)}: ${status ?? failure ?? outcome} in ${formatDuration(all)}`;
  return { title, all, bad: outcome === 'delivered' ? 0 : all };
}
