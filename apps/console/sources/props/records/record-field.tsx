// The field of a prop that takes the id of a record: an existing one, or a new one, created without leaving the form.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Modal, Select } from '@mantine/core';

export interface RecordFieldProps {
  readonly fieldProps: {
    readonly label: string;
    readonly description: ReactNode;
    readonly required: boolean;
    readonly error: string | undefined;
  };
  /** The record's id; empty: none. */
  readonly draft: string;
  readonly onChange: (draft: string) => void;
}

interface RecordChoices {
  /** The choices. An id that is not among them is shown itself. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly placeholder: string;
  /** The text of the button that opens the dialog for a new record, and the dialog's title. */
  readonly createLabels: { readonly button: string; readonly title: string };
  /** The content of the dialog; it calls `onCreated` with the new record. */
  readonly renderForm: (onCreated: (created: { readonly id: string }) => void) => ReactNode;
}

export function RecordField(props: RecordFieldProps & RecordChoices): ReactNode {
  const { fieldProps, draft, onChange, choices, placeholder, createLabels, renderForm } = props;
  const [isCreating, setCreating] = useState(false);
  const isListed = draft === '' || choices.some(({ value }) => value === draft);
  const onCreated = ({ id }: { readonly id: string }): void => {
    setCreating(false);
    onChange(id);
  };
  return (
    <div className="record-field">
      <Select
        {...fieldProps}
        placeholder={placeholder}
        clearable
        searchable
        clearButtonProps={{ 'aria-label': `No ${fieldProps.label}` }}
        data={isListed ? choices : [...choices, { value: draft, label: draft }]}
        value={draft === '' ? null : draft}
        onChange={(value) => onChange(value ?? '')}
      />
      <Button variant="default" size="xs" onClick={() => setCreating(true)}>
        {createLabels.button}
      </Button>
      <Modal opened={isCreating} onClose={() => setCreating(false)} title={createLabels.title}>
        {renderForm(onCreated)}
      </Modal>
    </div>
  );
}
