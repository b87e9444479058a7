// A field to choose a source or webhook: lists the newest, and asks the service for others by a part of name or id.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Select } from '@mantine/core';
import type { SelectProps } from '@mantine/core';
import { useRecord } from '../../api/record.ts';
import type { Source, Webhook } from '../../api/records.ts';
import type { Choice } from './distinct-labels.ts';
import { useChoice, useChoices } from './use-choices.ts';

interface NamedSelectProps extends Pick<SelectProps, 'label' | 'placeholder' | 'aria-label' | 'size'> {
  readonly kind: 'sources' | 'webhooks';
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  /** Choices in addition to the existing records. */
  readonly others?: readonly Choice[];
  /** The label of the button that clears the choice; absent: it cannot be cleared. */
  readonly clear?: string;
}

export function NamedSelect({
  kind,
  value,
  onChange,
  others = [],
  clear,
  ...selectProps
}: NamedSelectProps): ReactNode {
  const [text, setText] = useState('');
  const chosen = useChosen(kind, value, others);
  // Once something is chosen, the field contains its name, which is not searched.
  const matchingChoices = useChoices(kind, text.trim() === chosen?.label.trim() ? '' : text);
  const choices = [...matchingChoices.map((one) => (one.value === chosen?.value ? chosen : one)), ...others];
  const isListed = chosen === undefined || choices.some((one) => one.value === chosen.value);
  return (
    <Select
      {...selectProps}
      searchable
      data={isListed ? choices : [...choices, chosen]}
      value={value}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options, search }) =>
        search.trim() === chosen?.label.trim()
          ? options
          : options.filter((option) => 'value' in option && matches(option, search))
      }
      nothingFoundMessage="Nothing found"
      {...(clear === undefined ? {} : { clearable: true, clearButtonProps: { 'aria-label': clear } })}
    />
  );
}

/** Undefined: nothing is chosen, or its name is still loading. */
function useChosen(
  kind: NamedSelectProps['kind'],
  value: string | null,
  others: readonly Choice[],
): Choice | undefined {
  const other = others.find((one) => one.value === value);
  const recordPath = value === null || other !== undefined ? undefined : `/v1/${kind}/${encodeURIComponent(value)}`;
  const { data, error } = useRecord<Source | Webhook>(recordPath);
  const choice = useChoice(kind, data);
  if (other !== undefined) return other;
  if (choice !== undefined) return choice;
  // On an error, the record was deleted or the address names a wrong id: the id is shown.
  return value === null || error === null ? undefined : { value, label: value };
}

const matches = ({ value, label }: Choice, search: string): boolean =>
  `${label} ${value}`.toLowerCase().includes(search.trim().toLowerCase());
