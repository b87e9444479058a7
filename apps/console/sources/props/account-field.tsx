// A prop that takes an account: one of those of its app, or a new one, connected without leaving the form.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Modal, Select } from '@mantine/core';
import { ConnectAccount } from '../../accounts/connect-account.tsx';
import { useList } from '../../api/paging.ts';
import type { Account, ConfigurableProp } from '../../api/records.ts';

/** Beyond these an account is named by its id. */
const accountsShown = 100;

interface AccountFieldProps {
  readonly prop: ConfigurableProp;
  readonly said: {
    readonly label: string;
    readonly description: string | undefined;
    readonly required: boolean;
    readonly error: string | undefined;
  };
  /** Id of an account; empty: none. */
  readonly draft: string;
  readonly onChange: (draft: string) => void;
}

export function AccountField({ prop: { app }, said, draft, onChange }: AccountFieldProps): ReactNode {
  const [connecting, setConnecting] = useState(false);
  const list = useList<Account>('/v1/accounts', { query: { app, limit: accountsShown } });
  const listed = list.items.map(({ id, name, app: of }) => ({ value: id, label: name ?? `${of.name} (${id})` }));
  const isListed = draft === '' || listed.some(({ value }) => value === draft);
  const data = isListed ? listed : [...listed, { value: draft, label: draft }];
  const what = app ?? 'this app';
  return (
    <div className="record-field">
      <Select
        {...said}
        description={said.description ?? `An account of ${what}.`}
        placeholder={listed.length === 0 && !list.isLoading ? `No account of ${what} yet` : 'Choose an account'}
        clearable
        searchable
        clearButtonProps={{ 'aria-label': `No ${said.label}` }}
        data={data}
        value={draft === '' ? null : draft}
        onChange={(value) => onChange(value ?? '')}
      />
      <Button variant="default" size="xs" onClick={() => setConnecting(true)}>
        Connect an account
      </Button>
      <Modal opened={connecting} onClose={() => setConnecting(false)} title={`Connect an account of ${what}`}>
        <ConnectAccount
          {...(app === undefined ? {} : { app })}
          onDone={({ id }) => {
            setConnecting(false);
            onChange(id);
          }}
        />
      </Modal>
    </div>
  );
}
