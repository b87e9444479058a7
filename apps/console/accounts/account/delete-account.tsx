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
import { isolated } from '../../parts/format.ts';

/** More are counted, not named. */
const namedMax = 20;

export function DeleteAccount({ account: { id, name, app } }: { readonly account: Account }): ReactNode {
  const [, go] = useLocation();
  const [opened, setOpened] = useState(false);
  const deletion = useChange((force: boolean) => remove(`/v1/accounts/${id}`, force ? { force: true } : {}), {
    done: 'The account is deleted.',
    onDone: () => go('/accounts'),
    quiet: true,
  });
  const problem = deletion.isError ? problemOf(deletion.error) : undefined;
  const using = problem?.code === 'account_in_use' ? sourcesIn(problem.details['sources']) : [];
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setOpened(true)}>
        Delete
      </Button>
      <Confirm
        opened={opened}
        title={`Delete ${isolated(name ?? app.name)}?`}
        verb={using.length === 0 ? 'Delete account' : 'Delete all the same'}
        isPending={deletion.isPending}
        error={using.length === 0 ? deletion.error : null}
        onConfirm={() => deletion.mutate(using.length > 0)}
        onClose={() => {
          setOpened(false);
          deletion.reset();
        }}
      >
        {using.length === 0 ? 'Its credentials are gone for good. This cannot be undone.' : <Using sources={using} />}
      </Confirm>
    </>
  );
}

interface Named {
  readonly id: string;
  readonly name: string | null;
}

const sourcesIn = (value: unknown): readonly Named[] => (Array.isArray(value) ? (value as readonly Named[]) : []);

const Using = ({ sources }: { readonly sources: readonly Named[] }): ReactNode => (
  <div role="alert">
    <p>These sources use it. Their runs do not begin any more until each is given another account:</p>
    <ul>
      {sources.slice(0, namedMax).map(({ id, name }) => (
        <li key={id}>
          <Link href={`/sources/${id}/configuration`}>{name ?? id}</Link>
        </li>
      ))}
      {sources.length > namedMax ? <li>and {sources.length - namedMax} more</li> : null}
    </ul>
  </div>
);
