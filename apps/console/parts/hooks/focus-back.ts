// For a dialog that is drawn only while it is open: returns the focus when the dialog closes, for people who use the
// keyboard alone.
import { useEffect, useState } from 'react';

export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Waits until the dialog has left the page, because its removal takes the focus from whatever has it then.
      setTimeout(() => {
        if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
      }, 0);
    },
    [before],
  );
}
