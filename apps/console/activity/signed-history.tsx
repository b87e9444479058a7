// For auditors: exports history as a file that can be verified without the service, and replaces the key that signs it.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { postAs, urlOf } from '../api/http.ts';
import { problemOf } from '../api/problem.ts';
import { useChange } from '../api/record.ts';
import { useChosenAt } from '../parts/hooks/chosen-at.ts';
import { useRestoreFocus } from '../parts/hooks/restore-focus.ts';
import { Card } from '../parts/page.tsx';

/** `spanMs`: how far back the export goes. `name`: of this span, for the file's name. */
export function SignedHistory({ spanMs, name }: { readonly spanMs: number; readonly name: string }): ReactNode {
  const [isChanging, setChanging] = useState(false);
  const atMs = useChosenAt(name);
  return (
    <Card title="Signed history">
      <p className="dim small">
        The export has every record of the time chosen above, events and deliveries too, with the signatures that{' '}
        <code>pd audit verify</code> verifies without the service.
      </p>
      <div className="actions">
        <Button
          component="a"
          size="xs"
          variant="default"
          href={urlOf('/v1/history/export', { from: atMs - spanMs })}
          download={`history-${name}-until-${new Date(atMs).toISOString().slice(0, 10)}.ndjson`}
        >
          Export
        </Button>
        <Button size="xs" variant="default" onClick={() => setChanging(true)}>
          Change the audit key
        </Button>
      </div>
      {isChanging ? <ChangeKey close={() => setChanging(false)} /> : null}
    </Card>
  );
}

function ChangeKey({ close }: { readonly close: () => void }): ReactNode {
  const [apiKey, setApiKey] = useState('');
  useRestoreFocus();
  const change = useChange(() => postAs(apiKey.trim(), '/v1/history/keys'), {
    doneMessage: 'The audit key is changed.',
    onDone: close,
    quiet: true,
  });
  return (
    <Modal opened onClose={close} title="Change the audit key">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <Stack>
          <Text size="sm">
            A new key signs from now on. The next checkpoint of each partition is signed by the former one, too, so that
            whoever kept that one can follow. Only the operator may change it.
          </Text>
          <PasswordInput
            data-autofocus
            label="API key of the operator"
            description="It is in the file api-key of the data directory."
            autoComplete="off"
            required
            withAsterisk={false}
            value={apiKey}
            error={change.isError ? problemOf(change.error).message : undefined}
            onChange={({ currentTarget: { value } }) => setApiKey(value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" disabled={apiKey.trim() === ''} loading={change.isPending}>
              Change key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
