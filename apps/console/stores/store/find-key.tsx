// Opens the entry of a key that is typed in full: a store can have thousands, which are listed by age.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { TextInput } from '@mantine/core';
import { Icon } from '../../parts/icons.tsx';

export function FindKey({ onFind }: { readonly onFind: (key: string) => void }): ReactNode {
  const [key, setKey] = useState('');
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (key !== '') onFind(key);
      }}
    >
      <TextInput
        type="search"
        size="xs"
        aria-label="Open a key"
        placeholder="Open a key, then Enter"
        leftSection={<Icon name="search" size={16} />}
        value={key}
        onChange={({ currentTarget: { value } }) => setKey(value)}
      />
    </form>
  );
}
