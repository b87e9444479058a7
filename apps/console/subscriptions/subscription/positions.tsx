// Shows how far a subscription is: the counts of its events by outcome, and for each source how many wait.
import type { ReactNode } from 'react';
import { useNames } from '../../api/names.ts';
import type { Position, SubscriptionDetail } from '../../api/records.ts';
import { formatCount, formatDuration } from '../../parts/format.ts';
import { Ago } from '../../parts/now.tsx';
import { Card } from '../../parts/page.tsx';
import { Rows } from '../../parts/table.tsx';
import { StateTag } from '../../parts/tag.tsx';

export function Positions({ subscription }: { readonly subscription: SubscriptionDetail }): ReactNode {
  const { counters, positions } = subscription;
  const waiting = positions.reduce((sum, { lag }) => sum + (lag?.events ?? 0), 0);
  const isCapped = positions.some(({ lag }) => lag?.capped === true);
  const [first] = positions;
  return (
    <>
      <div className="figures">
        <Figure name="Delivered" value={formatCount(counters.delivered)} />
        <Figure name="Under way" value={formatCount(counters.pending)} />
        <Figure name="Parked" value={formatCount(counters.parked)} isBad={counters.parked > 0} />
        <Figure name="Filtered out" value={formatCount(counters.filtered)} />
        <Figure name="Expired" value={formatCount(counters.expired)} isBad={counters.expired > 0} />
        <Figure name="Not yet begun" value={`${formatCount(waiting)}${isCapped ? '+' : ''}`} />
      </div>
      {positions.length > 1 || first?.state === 'blocked' ? <PositionsTable positions={positions} /> : null}
    </>
  );
}

const Figure = ({ name, value, isBad = false }: { name: string; value: string; isBad?: boolean }): ReactNode => (
  <div className="card figure">
    <strong className={isBad ? 'bad-text' : undefined}>{value}</strong>
    <span className="dim small">{name}</span>
  </div>
);

function PositionsTable({ positions }: { readonly positions: readonly Position[] }): ReactNode {
  const { nameOf } = useNames();
  return (
    <Card flush title="By source">
      <Rows
        label="Positions"
        records={positions.map((position) => ({ ...position, id: position.emitter_id }))}
        columns={[
          { name: 'Source', cell: ({ id }) => nameOf(id) },
          { name: 'State', cell: ({ state }) => <StateTag state={state} /> },
          {
            name: 'Behind',
            cell: ({ lag }) => (lag === null ? '–' : formatDuration(lag.seconds * 1_000)),
            number: true,
          },
          { name: 'Delivered', cell: ({ counters }) => formatCount(counters.delivered), number: true },
          { name: 'Next attempt', cell: ({ next_attempt_at_ms }) => <Ago ms={next_attempt_at_ms} /> },
          { name: 'Last error', cell: ({ last_error }) => <LastError error={last_error} /> },
        ]}
      />
    </Card>
  );
}

function LastError({ error }: { readonly error: Position['last_error'] }): ReactNode {
  if (error === null) return <span className="dim">–</span>;
  return (
    <>
      {error.status ?? error.failure} · <Ago ms={error.at_ms} />
    </>
  );
}
