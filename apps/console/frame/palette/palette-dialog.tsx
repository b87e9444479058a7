// The dialog that finds a page, source or webhook by a part of its name, and opens it.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Modal, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { useChoices } from '../../parts/search/use-choices.ts';
import { navPages } from '../nav-pages.ts';

interface Target {
  readonly href: string;
  readonly name: string;
  readonly kind: string;
}

const shownMax = 12;

interface DialogProps {
  readonly opened: boolean;
  readonly close: () => void;
}

/** Opens only after its first draw: when a dialog opens, it notes which element has the focus, to return it there. */
export function PaletteDialog({ opened, close }: DialogProps): ReactNode {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  return (
    <Modal opened={opened && isDrawn} onClose={close} title="Go to" size="md" yOffset="12vh" centered={false}>
      <TargetPicker close={close} />
    </Modal>
  );
}

function useTargets(text: string): readonly Target[] {
  const sources = useChoices('sources', text);
  const webhooks = useChoices('webhooks', text);
  const all: readonly Target[] = [
    ...navPages.map(({ href, name }) => ({ href, name, kind: 'Page' })),
    { href: '/sources/new', name: 'New source', kind: 'Page' },
    { href: '/webhooks/new', name: 'New webhook', kind: 'Page' },
    { href: '/accounts/new', name: 'New account', kind: 'Page' },
    { href: '/data-stores/new', name: 'New data store', kind: 'Page' },
    { href: '/api-keys/new', name: 'New API key', kind: 'Page' },
    ...sources.map(({ value, label }) => ({ href: `/sources/${value}`, name: label, kind: 'Source' })),
    ...webhooks.map(({ value, label }) => ({ href: `/webhooks/${value}`, name: label, kind: 'Webhook' })),
  ];
  const searchText = text.trim().toLowerCase();
  return all.filter(({ name, href }) => `${name} ${href}`.toLowerCase().includes(searchText)).slice(0, shownMax);
}

function TargetPicker({ close }: { readonly close: () => void }): ReactNode {
  const [text, setText] = useState('');
  const [position, setPosition] = useState(0);
  const [, go] = useLocation();
  const targets = useTargets(text);
  const chosen = Math.min(position, targets.length - 1);
  const openTarget = (target: Target | undefined): void => {
    if (target === undefined) return;
    close();
    go(target.href);
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const offset = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') openTarget(targets[chosen]);
    if (offset === undefined) return;
    event.preventDefault();
    setPosition(Math.max(0, Math.min(chosen + offset, targets.length - 1)));
  };
  return (
    <div onKeyDown={onKeyDown}>
      <TextInput
        data-autofocus
        placeholder="A page, a source or a webhook"
        aria-label="Go to"
        role="combobox"
        aria-expanded={true}
        aria-controls="palette"
        aria-activedescendant={chosen >= 0 ? `palette-${chosen}` : undefined}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div role="status" className="dim small">
        {targets.length === 0 ? 'Nothing found' : null}
      </div>
      <div id="palette" role="listbox" aria-label="Places" className="palette">
        {targets.map((target, index) => (
          <div
            key={target.href}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            className="palette-option"
            onClick={() => openTarget(target)}
          >
            <span className="clip">{target.name}</span>
            <span className="dim small">{target.kind}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
