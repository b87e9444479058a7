// Ctrl K opens a dialog that leads to any page, source or webhook; its code is loaded when it is first opened.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { lazyPart } from '../../parts/lazy-part.tsx';

const Dialog = lazyPart(async () => (await import('./palette-dialog.tsx')).PaletteDialog, { placeholder: null });

interface PaletteProps {
  readonly opened: boolean;
  readonly close: () => void;
}

interface PaletteState {
  readonly opened: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

export function usePalette({ isListening }: { readonly isListening: boolean }): PaletteState {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    if (!isListening) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'k') return;
      event.preventDefault();
      setOpened((isOpen) => !isOpen);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isListening]);
  return { opened, open: () => setOpened(true), close: () => setOpened(false) };
}

/** Once opened, the dialog stays in the page, so that its closing can be animated. */
export function Palette({ opened, close }: PaletteProps): ReactNode {
  const [wasOpened, setWasOpened] = useState(false);
  if (opened && !wasOpened) setWasOpened(true);
  return wasOpened ? <Dialog.Part opened={opened} close={close} /> : null;
}
