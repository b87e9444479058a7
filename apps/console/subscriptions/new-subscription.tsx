// The page for a new subscription: from one or all sources to a webhook, from now on or from the oldest stored event.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { Link, useLocation, useSearchParams } from 'wouter';
import { post } from '../api/http.ts';
import { useNames } from '../api/names.ts';
import { problemOf } from '../api/problem.ts';
import { useChange } from '../api/record.ts';
import type { Subscription } from '../api/records.ts';
import { useUnsaved } from '../parts/hooks/unsaved.ts';
import { NamedSelect } from '../parts/search/named-select.tsx';
import { Card, Page } from '../parts/page.tsx';
import { ErrorAlert } from '../parts/error-alert.tsx';

const startChoices = [
  { value: 'now', label: 'New events' },
  { value: 'earliest', label: 'All events that are kept' },
];

export function NewSubscription(): ReactNode {
  const [search] = useSearchParams();
  const [, go] = useLocation();
  const [prefilled] = useState({ source: search.get('source'), listener: search.get('webhook') });
  const [source, setSource] = useState(prefilled.source);
  const [listener, setListener] = useState(prefilled.listener);
  const [channel, setChannel] = useState('');
  const [start, setStart] = useState('now');
  const creation = useChange(
    async () => {
      const channelField = channel.trim() === '' ? {} : { event_name: channel.trim() };
      const request = { emitter_id: source, listener_id: listener, start, ...channelField };
      return (await post<{ readonly data: readonly Subscription[] }>('/v1/subscriptions', request)).data[0];
    },
    { quiet: true, onDone: (created) => created !== undefined && go(`/subscriptions/${created.id}`) },
  );
  const isPrefilled = source === prefilled.source && listener === prefilled.listener;
  const isBegun = !isPrefilled || channel.trim() !== '' || start !== 'now';
  useUnsaved(isBegun && !creation.isPending && creation.data === undefined);
  return (
    <Page
      title="New subscription"
      lead="A filter can be added once it is there, and tried on real events."
      parent={{ href: '/subscriptions', name: 'Subscriptions' }}
    >
      <Card>
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (source !== null && listener !== null) creation.mutate();
          }}
        >
          {creation.isError ? <ErrorAlert message={problemOf(creation.error).message} /> : null}
          <EndpointFields source={source} listener={listener} onSource={setSource} onListener={setListener} />
          <TextInput
            label="Channel"
            description="Empty: all channels of the source. $errors: its failed runs."
            value={channel}
            onChange={({ currentTarget: { value } }) => setChannel(value)}
          />
          <div>
            <SegmentedControl aria-label="Begins with" data={startChoices} value={start} onChange={setStart} />
          </div>
          <div>
            <Button type="submit" disabled={source === null || listener === null} loading={creation.isPending}>
              Subscribe
            </Button>
          </div>
        </form>
      </Card>
    </Page>
  );
}

interface EndpointFieldsProps {
  readonly source: string | null;
  readonly listener: string | null;
  readonly onSource: (id: string | null) => void;
  readonly onListener: (id: string | null) => void;
}

const everySource = { value: 'dc_*', label: 'Every source' };

function EndpointFields({ source, listener, onSource, onListener }: EndpointFieldsProps): ReactNode {
  const { webhooks, isLoading, error } = useNames();
  return (
    <>
      <NamedSelect kind="sources" label="Source" others={[everySource]} value={source} onChange={onSource} />
      <NamedSelect kind="webhooks" label="Webhook" value={listener} onChange={onListener} />
      {error === null ? null : (
        <p className="bad-text small" role="alert">
          The newest sources and webhooks are not loaded: {problemOf(error).message}
        </p>
      )}
      {webhooks.length === 0 && !isLoading && error === null ? (
        <p className="dim small">
          There is no webhook yet: <Link href="/webhooks/new">create one</Link> first.
        </p>
      ) : null}
    </>
  );
}
