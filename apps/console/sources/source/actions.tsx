// The buttons for a source: run it now or publish an event, pause or resume it, delete it.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Switch } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { put, remove } from '../../api/http.ts';
import { problemOf } from '../../api/problem.ts';
import { useChange } from '../../api/record.ts';
import type { Source } from '../../api/records.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { isolateBidi } from '../../parts/format.ts';
import { PublishEvent } from './publish-event.tsx';
import { RunNow } from './run-now.tsx';

export function SourceActions({ source }: { readonly source: Source }): ReactNode {
  const path = `/v1/sources/${source.id}`;
  const [isDeleting, setDeleting] = useState(false);
  const toggle = useChange((active: boolean) => put(path, { active }));
  return (
    <>
      <Switch
        label={source.active ? 'On' : 'Off'}
        aria-label="Source is on"
        checked={source.active}
        disabled={toggle.isPending || source.state === 'deploying' || source.state === 'updating'}
        onChange={({ currentTarget }) => toggle.mutate(currentTarget.checked)}
      />
      {source.kind === 'channel' ? <PublishEvent source={source} /> : <RunNow source={source} />}
      <Button component={Link} variant="default" href={`/subscriptions/new?source=${source.id}`}>
        Subscribe
      </Button>
      <Button variant="subtle" color="red" onClick={() => setDeleting(true)}>
        Delete
      </Button>
      <DeleteSource source={source} opened={isDeleting} close={() => setDeleting(false)} />
    </>
  );
}

interface DeleteProps {
  readonly source: Source;
  readonly opened: boolean;
  readonly close: () => void;
}

/** If the deactivate hook fails, the source is kept; deleting it all the same can leave things on other systems. */
function DeleteSource({ source, opened, close }: DeleteProps): ReactNode {
  const [, go] = useLocation();
  const deletion = useChange(
    (ignoreHookErrors: boolean) =>
      remove(`/v1/sources/${source.id}`, ignoreHookErrors ? { ignore_hook_errors: true } : {}),
    { doneMessage: 'The source is deleted.', onDone: () => go('/sources'), quiet: true },
  );
  const hookFailed = deletion.isError && problemOf(deletion.error).code === 'hook_failed';
  return (
    <Confirm
      opened={opened}
      title={`Delete ${isolateBidi(source.name ?? source.id)}?`}
      verb={hookFailed ? 'Delete all the same' : 'Delete source'}
      isPending={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate(hookFailed)}
      onClose={() => {
        close();
        deletion.reset();
      }}
    >
      Its endpoint and timers stop, and subscriptions to it are deleted. Its events and logs can be read by its id until
      they are no longer kept. This cannot be undone.
    </Confirm>
  );
}
