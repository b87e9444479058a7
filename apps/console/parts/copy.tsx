// Buttons that copy a text to the clipboard.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ActionIcon, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Icon } from './icons.tsx';

const shownMs = 1_500;

export function useCopy(): readonly [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  const copy = (text: string): void => {
    void writeToClipboard(text).then((isCopied) => {
      if (!isCopied) {
        notifications.show({ color: 'red', title: 'Not copied', message: 'The browser does not allow it here.' });
        return;
      }
      setCopied(true);
      setTimeout(() => setCopied(false), shownMs);
    });
  };
  return [copied, copy];
}

async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Without https or loopback a page has no clipboard API, but browsers still copy selected text. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  // Inside the dialog, if there is one: a dialog takes back focus that leaves it.
  (focused?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

export function CopyLine({ text, what }: { readonly text: string; readonly what: string }): ReactNode {
  const [copied, copy] = useCopy();
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
  const [copied, copy] = useCopy();
  return (
    <Button variant="default" size="xs" onClick={() => copy(text())}>
      {copied ? 'Copied' : children}
    </Button>
  );
}
