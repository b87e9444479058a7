// The fields in which credentials of an account are typed. They are sent once and never shown again.
import type { ReactNode } from 'react';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { fieldsMax, newUserField } from './credential-fields.ts';
import type { CredentialField } from './credential-fields.ts';

interface CredentialsProps {
  readonly fields: readonly CredentialField[];
  readonly onChange: (fields: readonly CredentialField[]) => void;
}

export function Credentials({ fields, onChange }: CredentialsProps): ReactNode {
  const change = (at: number, part: Partial<CredentialField>): void =>
    onChange(fields.map((field, index) => (index === at ? { ...field, ...part } : field)));
  return (
    <>
      {fields.map((field, at) => (
        <Field key={field.isUserAdded ? at : field.name} field={field} onChange={(part) => change(at, part)} />
      ))}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={fields.length >= fieldsMax}
          onClick={() => onChange([...fields, newUserField])}
        >
          Add a field
        </Button>
      </div>
    </>
  );
}

interface FieldProps {
  readonly field: CredentialField;
  readonly onChange: (part: Partial<CredentialField>) => void;
}

function Field({ field, onChange }: FieldProps): ReactNode {
  const { name, label, isSecret, isUserAdded, value } = field;
  const inputProps = {
    label: isUserAdded ? 'Value' : label,
    value,
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange({ value: currentTarget.value }),
  };
  const input = isSecret ? <PasswordInput {...inputProps} /> : <TextInput {...inputProps} />;
  if (!isUserAdded) return input;
  return (
    <div className="fields">
      <TextInput
        label="Field"
        placeholder="api_key"
        value={name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      {input}
    </div>
  );
}
