// For a dialog that is drawn only while it is open: the focus goes back to where it was, also for who uses keys alone.
import { useEffect, useState } from 'react';

export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Once the dialog has left the page, which takes the focus from whatever has it then.
      setTimeout(() => {
        if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
      }, 0);
    },
    [before],
  );
}
