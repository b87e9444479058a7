// The page of the workspace's API keys: the scopes of each, when it expires, and when it was last used.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { remove } from '../api/http.ts';
import { useList } from '../api/paging.ts';
import { useChange } from '../api/record.ts';
import type { ApiKey } from '../api/records.ts';
import { useSession } from '../api/signed-in.ts';
import { CreateLink } from '../parts/create/create-link.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { isolateBidi } from '../parts/format.ts';
import { useRestoreFocus } from '../parts/hooks/restore-focus.ts';
import { Ago } from '../parts/now.tsx';
import { Card, Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { ListTable } from '../parts/table.tsx';
import type { Column } from '../parts/table.tsx';
import { Tag } from '../parts/tag.tsx';

const refetchMs = 10_000;

const NewButton = (): ReactNode => <CreateLink href="/api-keys/new">New API key</CreateLink>;

export function ApiKeys(): ReactNode {
  const list = useList<ApiKey>('/v1/api_keys', { query: { limit: 100 }, refetchMs });
  const session = useSession();
  const [keyToRevoke, setKeyToRevoke] = useState<ApiKey>();
  const sessionKeyId = session.data?.api_key_id;
  const empty = (
    <Empty icon="key" title="No keys" action={<NewButton />}>
      Programs and people reach the API with a key.
    </Empty>
  );
  return (
    <Page title="API keys" lead="Who may use the API, and for what." actions={<NewButton />}>
      <Card flush>
        <ListTable label="API keys" list={list} columns={columnsOf(sessionKeyId, setKeyToRevoke)} empty={empty} />
      </Card>
      {keyToRevoke === undefined ? null : (
        <Revoke apiKey={keyToRevoke} isOwn={keyToRevoke.id === sessionKeyId} close={() => setKeyToRevoke(undefined)} />
      )}
    </Page>
  );
}

const columnsOf = (sessionKeyId: string | undefined, revoke: (apiKey: ApiKey) => void): readonly Column<ApiKey>[] => [
  {
    name: 'Name',
    cell: ({ id, name, hint }) => (
      <>
        <span className="clip">{name}</span>
        <span className="dim mono">{hint === null ? id : `${hint}…`}</span>{' '}
        {id === sessionKeyId ? <Tag tone="accent">this session</Tag> : null}
      </>
    ),
  },
  { name: 'May', cell: ({ scopes }) => (scopes.includes('write') ? scopes.join(', ') : 'only read') },
  { name: 'Created', cell: ({ created_at }) => <Ago ms={created_at} /> },
  { name: 'Last used', cell: ({ last_used_at }) => <Ago ms={last_used_at} /> },
  { name: 'Expires', cell: ({ expires_at }) => (expires_at === null ? 'Never' : <Ago ms={expires_at} />) },
  {
    name: 'Revoke',
    cell: (apiKey) => (
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        aria-label={`Revoke ${apiKey.name}`}
        onClick={() => revoke(apiKey)}
      >
        Revoke
      </Button>
    ),
  },
];

interface RevokeProps {
  readonly apiKey: ApiKey;
  readonly isOwn: boolean;
  readonly close: () => void;
}

function Revoke({ apiKey: { id, name }, isOwn, close }: RevokeProps): ReactNode {
  useRestoreFocus();
  const deletion = useChange(() => remove(`/v1/api_keys/${id}`), {
    doneMessage: 'The key is revoked.',
    onDone: close,
    quiet: true,
  });
  return (
    <Confirm
      opened
      title={`Revoke ${isolateBidi(name)}?`}
      verb="Revoke key"
      isPending={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
      onClose={close}
    >
      Within a second it is refused everywhere, and open streams end. What was made with it stays.
      {isOwn ? ' You are signed in with it: every session of this key ends, this one too.' : ''}
    </Confirm>
  );
}
