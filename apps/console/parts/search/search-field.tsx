// The search of a list: its text stands in the address, and the service is asked once it has settled.
import type { ReactNode } from 'react';
import { TextInput } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useSettled } from '../hooks/settled.ts';
import { Icon } from '../icons.tsx';

/** What to ask a list for; undefined: for all. */
export function useSearchText(): string | undefined {
  const [search] = useSearchParams();
  const text = useSettled((search.get('q') ?? '').trim());
  return text === '' ? undefined : text;
}

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
}

export function SearchField({ label, placeholder }: SearchFieldProps): ReactNode {
  const [search, setSearch] = useSearchParams();
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={`${placeholder}  ( / )`}
      leftSection={<Icon name="search" size={16} />}
      value={search.get('q') ?? ''}
      onChange={({ currentTarget: { value } }) => setSearch(value === '' ? {} : { q: value }, { replace: true })}
    />
  );
}
