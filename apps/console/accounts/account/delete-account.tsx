// Deletes an account. If sources use it, they are listed first: without the account their runs cannot begin.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { remove } from '../../api/http.ts';
import { problemOf } from '../../api/problem.ts';
import { useChange } from '../../api/record.ts';
import type { Account } from '../../api/records.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { isolateBidi } from '../../parts/format.ts';

/** More are counted, not named. */
const listedMax = 20;

export function DeleteAccount({ account: { id, name, app } }: { readonly account: Account }): ReactNode {
  const [, go] = useLocation();
  const [opened, setOpened] = useState(false);
  const deletion = useChange((force: boolean) => remove(`/v1/accounts/${id}`, force ? { force: true } : {}), {
    doneMessage: 'The account is deleted.',
    onDone: () => go('/accounts'),
    quiet: true,
  });
  const problem = deletion.isError ? problemOf(deletion.error) : undefined;
  const usingSources = problem?.code === 'account_in_use' ? sourcesIn(problem.details['sources']) : [];
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setOpened(true)}>
        Delete
      </Button>
      <Confirm
        opened={opened}
        title={`Delete ${isolateBidi(name ?? app.name)}?`}
        verb={usingSources.length === 0 ? 'Delete account' : 'Delete all the same'}
        isPending={deletion.isPending}
        error={usingSources.length === 0 ? deletion.error : null}
        onConfirm={() => deletion.mutate(usingSources.length > 0)}
        onClose={() => {
          setOpened(false);
          deletion.reset();
        }}
      >
        {usingSources.length === 0 ? (
          'Its credentials are gone for good. This cannot be undone.'
        ) : (
          <UsingSources sources={usingSources} />
        )}
      </Confirm>
    </>
  );
}

interface NamedSource {
  readonly id: string;
  readonly name: string | null;
}

const sourcesIn = (value: unknown): readonly NamedSource[] =>
  Array.isArray(value) ? (value as readonly NamedSource[]) : [];

const UsingSources = ({ sources }: { readonly sources: readonly NamedSource[] }): ReactNode => (
  <div role="alert">
    <p>These sources use it. Their runs do not begin any more until each is given another account:</p>
    <ul>
      {sources.slice(0, listedMax).map(({ id, name }) => (
        <li key={id}>
          <Link href={`/sources/${id}/configuration`}>{name ?? id}</Link>
        </li>
      ))}
      {sources.length > listedMax ? <li>and {sources.length - listedMax} more</li> : null}
    </ul>
  </div>
);
