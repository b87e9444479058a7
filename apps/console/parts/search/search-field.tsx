// The search field of a list: its text is kept in the address, and sent once the user pauses.
import type { ReactNode } from 'react';
import { TextInput } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useDebounced } from '../hooks/debounced.ts';
import { Icon } from '../icons.tsx';

/** The text to search for; undefined: list everything. */
export function useSearchText(): string | undefined {
  const [search] = useSearchParams();
  const text = useDebounced((search.get('q') ?? '').trim());
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
