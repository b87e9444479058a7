// A choice among sources or webhooks: the newest at once, every other by a part of its name or id, asked of the service.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Select } from '@mantine/core';
import type { SelectProps } from '@mantine/core';
import { useRecord } from '../../api/record.ts';
import type { Source, Webhook } from '../../api/records.ts';
import type { Choice } from './told-apart.ts';
import { useChoice, useFound } from './use-found.ts';

interface NamedSelectProps extends Pick<SelectProps, 'label' | 'placeholder' | 'aria-label' | 'size'> {
  readonly kind: 'sources' | 'webhooks';
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  /** Beside what there is. */
  readonly others?: readonly Choice[];
  /** What the button that takes the choice back is called; absent: it cannot be taken back. */
  readonly clear?: string;
}

export function NamedSelect({ kind, value, onChange, others = [], clear, ...look }: NamedSelectProps): ReactNode {
  const [text, setText] = useState('');
  const chosen = useChosen(kind, value, others);
  // Once something is chosen, its name stands in the field.
  const found = useFound(kind, text.trim() === chosen?.label.trim() ? '' : text);
  const choices = [...found.map((one) => (one.value === chosen?.value ? chosen : one)), ...others];
  const isListed = chosen === undefined || choices.some((one) => one.value === chosen.value);
  return (
    <Select
      {...look}
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

/** Undefined: nothing is, or its name has not come yet. */
function useChosen(
  kind: NamedSelectProps['kind'],
  value: string | null,
  others: readonly Choice[],
): Choice | undefined {
  const other = others.find((one) => one.value === value);
  const asked = value === null || other !== undefined ? undefined : `/v1/${kind}/${encodeURIComponent(value)}`;
  const { data, error } = useRecord<Source | Webhook>(asked);
  const choice = useChoice(kind, data);
  if (other !== undefined) return other;
  if (choice !== undefined) return choice;
  // It was deleted, or the address that names it is wrong.
  return value === null || error === null ? undefined : { value, label: value };
}

const matches = ({ value, label }: Choice, search: string): boolean =>
  `${label} ${value}`.toLowerCase().includes(search.trim().toLowerCase());
