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
import { pluralize } from '../../../parts/format.ts';
import { Card } from '../../../parts/page.tsx';
import { ErrorAlert } from '../../../parts/error-alert.tsx';
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
  const isEverySource = subscription.emitter_id === 'dc_*';
  const request = replayRequest({ only, ...range, rate: String(rate), source: isEverySource ? source : null });
  const requestKey = JSON.stringify(request);
  const path = `/v1/subscriptions/${subscription.id}/replay`;
  const counting = useChange(
    async () => {
      const { data } = await post<{ readonly data: ReplayCount }>(path, { ...request, dry_run: true });
      return { asked: requestKey, count: data.count };
    },
    { quiet: true },
  );
  const start = useChange(() => post(path, request), {
    doneMessage: 'The replay is accepted.',
    quiet: true,
    onDone: () => counting.reset(),
  });
  const matchingEvents = counting.data?.asked === requestKey ? counting.data.count : undefined;
  const error = start.error ?? counting.error;
  return (
    <Card title="New replay">
      {error === null ? null : <ErrorAlert message={problemOf(error).message} />}
      {isEverySource ? <SourceSelect subscription={subscription} source={source} onChange={setSource} /> : null}
      <SegmentedControl aria-label="Which events" data={kinds} value={only} onChange={setOnly} />
      <RangeFields range={range} rate={rate} onRange={setRange} onRate={setRate} />
      <p className="small" role="status">
        {matchingEvents === undefined
          ? 'Count first: nothing is sent by it.'
          : `${pluralize(matchingEvents, 'event')} would be sent again.`}
      </p>
      <div className="actions">
        <Button
          variant={matchingEvents === undefined ? 'filled' : 'default'}
          loading={counting.isPending}
          onClick={() => {
            start.reset();
            counting.mutate();
          }}
        >
          Count
        </Button>
        <Button
          disabled={matchingEvents === undefined || matchingEvents === 0}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          Start replay
        </Button>
      </div>
    </Card>
  );
}

interface SourceSelectProps {
  readonly subscription: SubscriptionDetail;
  readonly source: string | null;
  readonly onChange: (id: string | null) => void;
}

/** A subscription to all sources replays one source at a time. */
function SourceSelect({ subscription: { positions }, source, onChange }: SourceSelectProps): ReactNode {
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

interface RangeFieldsProps {
  readonly range: Times;
  readonly rate: string | number;
  readonly onRange: (range: Times) => void;
  readonly onRate: (value: string | number) => void;
}

const RangeFields = ({ range, rate, onRange, onRate }: RangeFieldsProps): ReactNode => (
  <>
    <Timeline {...range} onChange={onRange} />
    <TimeField
      label="From"
      empty="the oldest event"
      value={range.from}
      onChange={(from) => onRange({ ...range, from })}
    />
    <TimeField label="To" empty="now" value={range.to} onChange={(to) => onRange({ ...range, to })} />
    <NumberInput
      label="Events a second"
      placeholder="As fast as the receiver takes them"
      value={rate}
      min={1}
      onChange={onRate}
    />
  </>
);

interface TimeFieldProps {
  readonly label: string;
  readonly empty: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The browser's own date and time field, in the reader's zone and language. */
const TimeField = ({ label, empty, value, onChange }: TimeFieldProps): ReactNode => (
  <TextInput
    type="datetime-local"
    label={label}
    description={`Empty: ${empty}.`}
    value={localField(value)}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
