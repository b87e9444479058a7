// Starts a replay in two steps: first counts what it would send, then sends it.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { post } from '../../../api/http.ts';
import { useNames } from '../../../api/names.ts';
import { problemOf } from '../../../api/problem.ts';
import { useChange } from '../../../api/record.ts';
import type { ReplayCount, SubscriptionDetail } from '../../../api/records.ts';
import { counted } from '../../../parts/format.ts';
import { Card } from '../../../parts/page.tsx';
import { Refused } from '../../../parts/refused.tsx';
import { localField } from './replay-range.ts';
import { replayRequest } from './replay-request.ts';
import { Timeline } from './timeline.tsx';

const kinds = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Failed' },
  { value: 'parked', label: 'Parked' },
];

export function ReplayWizard({ subscription }: { readonly subscription: SubscriptionDetail }): ReactNode {
  const [search] = useSearchParams();
  const [only, setOnly] = useState(search.get('only') ?? 'all');
  const [range, setRange] = useState({ from: '', to: '' });
  const [rate, setRate] = useState<string | number>('');
  const [source, setSource] = useState<string | null>(null);
  const isOfAll = subscription.emitter_id === 'dc_*';
  const request = replayRequest({ only, ...range, rate: String(rate), source: isOfAll ? source : null });
  const asked = JSON.stringify(request);
  const path = `/v1/subscriptions/${subscription.id}/replay`;
  const counting = useChange(
    async () => {
      const { data } = await post<{ readonly data: ReplayCount }>(path, { ...request, dry_run: true });
      return { asked, count: data.count };
    },
    { quiet: true },
  );
  const start = useChange(() => post(path, request), {
    done: 'The replay is accepted.',
    quiet: true,
    onDone: () => counting.reset(),
  });
  const found = counting.data?.asked === asked ? counting.data.count : undefined;
  const error = start.error ?? counting.error;
  return (
    <Card title="New replay">
      {error === null ? null : <Refused message={problemOf(error).message} />}
      {isOfAll ? <SourceOf subscription={subscription} source={source} onChange={setSource} /> : null}
      <SegmentedControl aria-label="Which events" data={kinds} value={only} onChange={setOnly} />
      <Range range={range} rate={rate} onRange={setRange} onRate={setRate} />
      <p className="small" role="status">
        {found === undefined
          ? 'Count first: nothing is sent by it.'
          : `${counted(found, 'event')} would be sent again.`}
      </p>
      <div className="actions">
        <Button
          variant={found === undefined ? 'filled' : 'default'}
          loading={counting.isPending}
          onClick={() => {
            start.reset();
            counting.mutate();
          }}
        >
          Count
        </Button>
        <Button disabled={found === undefined || found === 0} loading={start.isPending} onClick={() => start.mutate()}>
          Start replay
        </Button>
      </div>
    </Card>
  );
}

interface SourceOfProps {
  readonly subscription: SubscriptionDetail;
  readonly source: string | null;
  readonly onChange: (id: string | null) => void;
}

/** A subscription to all sources replays one source at a time. */
function SourceOf({ subscription: { positions }, source, onChange }: SourceOfProps): ReactNode {
  const { nameOf } = useNames();
  return (
    <Select
      label="Source"
      data={positions.map(({ emitter_id }) => ({ value: emitter_id, label: nameOf(emitter_id) }))}
      value={source}
      onChange={onChange}
    />
  );
}

interface Times {
  /** From date and time fields, or in UTC. */
  readonly from: string;
  readonly to: string;
}

interface RangeProps {
  readonly range: Times;
  readonly rate: string | number;
  readonly onRange: (range: Times) => void;
  readonly onRate: (value: string | number) => void;
}

const Range = ({ range, rate, onRange, onRate }: RangeProps): ReactNode => (
  <>
    <Timeline {...range} onChange={onRange} />
    <When label="From" empty="the oldest event" value={range.from} onChange={(from) => onRange({ ...range, from })} />
    <When label="To" empty="now" value={range.to} onChange={(to) => onRange({ ...range, to })} />
    <NumberInput
      label="Events a second"
      placeholder="As fast as the receiver takes them"
      value={rate}
      min={1}
      onChange={onRate}
    />
  </>
);

interface WhenProps {
  readonly label: string;
  readonly empty: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The browser's own date and time field, in the reader's zone and language. */
const When = ({ label, empty, value, onChange }: WhenProps): ReactNode => (
  <TextInput
    type="datetime-local"
    label={label}
    description={`Empty: ${empty}.`}
    value={localField(value)}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
