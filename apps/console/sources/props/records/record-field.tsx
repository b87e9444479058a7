// The field of a prop that takes the id of a record: an existing one, or a new one, created without leaving the form.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Modal, Select } from '@mantine/core';

export interface RecordFieldProps {
  readonly said: {
    readonly label: string;
    readonly description: ReactNode;
    readonly required: boolean;
    readonly error: string | undefined;
  };
  /** The record's id; empty: none. */
  readonly draft: string;
  readonly onChange: (draft: string) => void;
}

interface Offered {
  /** The choices. An id that is not among them is shown itself. */
  readonly listed: readonly { readonly value: string; readonly label: string }[];
  readonly placeholder: string;
  /** The text of the button that opens the dialog for a new record, and the dialog's title. */
  readonly making: { readonly button: string; readonly title: string };
  /** The content of the dialog; it calls `done` with the new record. */
  readonly form: (done: (made: { readonly id: string }) => void) => ReactNode;
}

export function RecordField(props: RecordFieldProps & Offered): ReactNode {
  const { said, draft, onChange, listed, placeholder, making, form } = props;
  const [isMaking, setMaking] = useState(false);
  const isListed = draft === '' || listed.some(({ value }) => value === draft);
  const done = ({ id }: { readonly id: string }): void => {
    setMaking(false);
    onChange(id);
  };
  return (
    <div className="record-field">
      <Select
        {...said}
        placeholder={placeholder}
        clearable
        searchable
        clearButtonProps={{ 'aria-label': `No ${said.label}` }}
        data={isListed ? listed : [...listed, { value: draft, label: draft }]}
        value={draft === '' ? null : draft}
        onChange={(value) => onChange(value ?? '')}
      />
      <Button variant="default" size="xs" onClick={() => setMaking(true)}>
        {making.button}
      </Button>
      <Modal opened={isMaking} onClose={() => setMaking(false)} title={making.title}>
        {form(done)}
      </Modal>
    </div>
  );
}
