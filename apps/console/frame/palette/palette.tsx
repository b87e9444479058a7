// Ctrl K opens a dialog that leads to any page, source or webhook; its code is loaded when it is first opened.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { loaded } from '../../parts/loaded.tsx';

const Dialog = loaded(async () => (await import('./palette-dialog.tsx')).PaletteDialog, { meanwhile: null });

interface PaletteProps {
  readonly opened: boolean;
  readonly close: () => void;
}

export function usePalette(): { readonly opened: boolean; readonly open: () => void; readonly close: () => void } {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'k') return;
      event.preventDefault();
      setOpened((was) => !was);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return { opened, open: () => setOpened(true), close: () => setOpened(false) };
}

/** Once opened, the dialog stays in the page, so that its closing can be animated. */
export function Palette({ opened, close }: PaletteProps): ReactNode {
  const [isWanted, setWanted] = useState(false);
  if (opened && !isWanted) setWanted(true);
  return isWanted ? <Dialog.Part opened={opened} close={close} /> : null;
}
