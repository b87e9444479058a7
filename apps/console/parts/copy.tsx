// Text to take along.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ActionIcon, Button } from '@mantine/core';
import { Icon } from './icons.tsx';

const shownMs = 1_500;

/** Without a clipboard (a page that is neither on loopback nor on https) the text can still be selected. */
function useCopied(): readonly [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  const copy = (text: string): void => {
    void navigator.clipboard?.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), shownMs);
    });
  };
  return [copied, copy];
}

export function CopyLine({ text, what }: { readonly text: string; readonly what: string }): ReactNode {
  const [copied, copy] = useCopied();
  return (
    <div className="copy-line">
      <code tabIndex={0}>{text}</code>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={copied ? 'Copied' : `Copy ${what}`}
        onClick={() => copy(text)}
      >
        <Icon name={copied ? 'check' : 'copy'} size={16} />
      </ActionIcon>
    </div>
  );
}

export function CopyButton({ text, children }: { readonly text: () => string; readonly children: string }): ReactNode {
  const [copied, copy] = useCopied();
  return (
    <Button variant="default" size="xs" onClick={() => copy(text())}>
      {copied ? 'Copied' : children}
    </Button>
  );
}
