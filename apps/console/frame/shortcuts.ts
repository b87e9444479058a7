// Keys that work on every page: "/" to search, "j" and "k" through a list.
import { useEffect } from 'react';

/** What "j" and "k" move through: the first link of each table row, the entries of a list. */
const rows = '.row-link, .entry';

export function useShortcuts({ isListening }: { readonly isListening: boolean }): void {
  useEffect(() => {
    if (!isListening) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const move = shortcuts[event.key];
      if (move === undefined) return;
      if (move()) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isListening]);
}

/** Looks into shadow trees too, because the editor is in one. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, [role="dialog"]') !== null;
}

const shortcuts: Readonly<Record<string, () => boolean>> = {
  '/': () => focus(document.querySelector<HTMLElement>('main input[type="search"]')),
  j: () => moveFocus(1),
  k: () => moveFocus(-1),
};

function moveFocus(offset: 1 | -1): boolean {
  const all = [...document.querySelectorAll<HTMLElement>(rows)];
  const at = all.findIndex((row) => row === document.activeElement);
  return focus(at === -1 ? all.at(offset === 1 ? 0 : -1) : all[at + offset]);
}

function focus(element: HTMLElement | null | undefined): boolean {
  element?.focus();
  return element !== null && element !== undefined;
}
