// The page that creates an API key, and then shows the key, once.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { Link } from 'wouter';
import { serviceNowMs } from '../api/clock/service-clock.ts';
import { post } from '../api/http.ts';
import { problemOf } from '../api/problem.ts';
import { useChange } from '../api/record.ts';
import type { NewApiKey as Created } from '../api/records.ts';
import { CopyLine } from '../parts/copy.tsx';
import { formatExactTime } from '../parts/format.ts';
import { useUnsaved } from '../parts/hooks/unsaved.ts';
import { Card, Page } from '../parts/page.tsx';
import { ErrorAlert } from '../parts/error-alert.tsx';

const parent = { href: '/api-keys', name: 'API keys' };
const dayMs = 86_400_000;

/** Days, as texts. The empty one: until the key expires that the user signed in with. */
const lifetimes = [
  { value: '', label: 'As long as the key of this session' },
  { value: '1', label: 'A day' },
  { value: '7', label: 'A week' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
];

export function NewApiKey(): ReactNode {
  const [name, setName] = useState('');
  const [mayWrite, setMayWrite] = useState(true);
  const [days, setDays] = useState('');
  const creation = useChange(
    async () => {
      const lifetime = days === '' ? {} : { expires_at: serviceNowMs() + Number(days) * dayMs };
      const request = { name: name.trim(), scopes: mayWrite ? ['read', 'write'] : ['read'], ...lifetime };
      return (await post<{ readonly data: Created }>('/v1/api_keys', request)).data;
    },
    { quiet: true },
  );
  const isBegun = name.trim() !== '' || !mayWrite || days !== '';
  useUnsaved(isBegun && !creation.isPending && creation.data === undefined);
  if (creation.data !== undefined) return <CreatedKey created={creation.data} />;
  const problem = creation.isError ? problemOf(creation.error) : undefined;
  return (
    <Page title="New API key" lead="For one program or person, so that each can be revoked alone." parent={parent}>
      <Card>
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            creation.mutate();
          }}
        >
          {problem === undefined ? null : <ErrorAlert message={problem.message} />}
          <TextInput
            label="Name"
            description="Who or what uses it."
            required
            value={name}
            error={problem?.fields['name']}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <Checkbox
            label="May change things"
            description="Without this it can only read."
            checked={mayWrite}
            onChange={({ currentTarget: { checked } }) => setMayWrite(checked)}
          />
          <Select
            label="Expires after"
            data={lifetimes}
            allowDeselect={false}
            value={days}
            onChange={(value) => setDays(value ?? '')}
          />
          <div>
            <Button type="submit" disabled={name.trim() === ''} loading={creation.isPending}>
              Create key
            </Button>
          </div>
        </form>
      </Card>
    </Page>
  );
}

const CreatedKey = ({ created }: { readonly created: Created }): ReactNode => (
  <Page title="The key is created" parent={parent}>
    <Card>
      <div className="card-body bare" role="status">
        <h2>{created.name}</h2>
        <CopyLine text={created.key} what="the key" />
        <p className="dim small">
          Copy it now: it is not shown again, and the service keeps only a hash of it.{' '}
          {created.expires_at === null
            ? 'It does not expire.'
            : `It expires on ${formatExactTime(created.expires_at)}.`}
        </p>
      </div>
      <div className="actions">
        <Button component={Link} href="/api-keys">
          Done
        </Button>
      </div>
    </Card>
  </Page>
);
