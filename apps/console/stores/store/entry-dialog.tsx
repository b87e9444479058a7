// The dialogs of an entry of a data store: one shows, changes or deletes it, one creates it.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Modal } from '@mantine/core';
import { remove, urlOf } from '../../api/http.ts';
import { useChange, useRecord } from '../../api/record.ts';
import type { StoredEntry } from '../../api/records.ts';
import { ConfirmedButton, deleteButtonProps } from '../../parts/confirm.tsx';
import { useRestoreFocus } from '../../parts/hooks/restore-focus.ts';
import { JsonTree } from '../../parts/json/json-tree.tsx';
import { Ago } from '../../parts/now.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { EntryForm } from './entry-form.tsx';

interface DialogProps {
  /** The API path of the store's records, without a key. */
  readonly path: string;
  readonly onClose: () => void;
}

export function NewEntryDialog({ path, onClose }: DialogProps): ReactNode {
  useRestoreFocus();
  return (
    <Modal opened onClose={onClose} title="Set a key">
      <EntryForm path={path} onDone={onClose} />
    </Modal>
  );
}

export function EntryDialog({ path, entryKey: key, onClose }: DialogProps & { readonly entryKey: string }): ReactNode {
  useRestoreFocus();
  const { data: entry, error, refetch } = useRecord<StoredEntry>(urlOf(path, { key }));
  return (
    <Modal opened onClose={onClose} size="lg" title={<span className="mono">{key}</span>}>
      {entry === undefined ? null : <Entry path={path} entry={entry} onClose={onClose} />}
      {entry === undefined && error === null ? <Loading /> : null}
      {entry === undefined && error !== null ? <Failed error={error} retry={() => void refetch()} /> : null}
    </Modal>
  );
}

function Entry({ path, entry, onClose }: DialogProps & { readonly entry: StoredEntry }): ReactNode {
  const { key, value, expires_at } = entry;
  const [isChanging, setChanging] = useState(false);
  const deletion = useChange(() => remove(path, { key }), {
    doneMessage: 'The key is deleted.',
    quiet: true,
    onDone: onClose,
  });
  if (isChanging) return <EntryForm path={path} entry={entry} onDone={() => setChanging(false)} />;
  return (
    <div className="form">
      <JsonTree value={value} />
      <p className="dim small">
        {expires_at === null ? 'It does not expire.' : 'It expires '}
        {expires_at === null ? null : <Ago ms={expires_at} />}
      </p>
      <div className="actions">
        <Button variant="default" onClick={() => setChanging(true)}>
          Change
        </Button>
        <ConfirmedButton
          label="Delete"
          buttonProps={deleteButtonProps}
          change={deletion}
          title="Delete this key?"
          verb="Delete key"
        >
          Its value will be gone for good.
        </ConfirmedButton>
      </div>
    </div>
  );
}
