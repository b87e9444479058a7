// For a dialog that is drawn only while it is open: returns the focus when the dialog closes, for people who use the
// keyboard alone.
import { useEffect, useState } from 'react';

export function useRestoreFocus(): void {
  const [previousFocus] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Waits until the dialog has left the page, because its removal takes the focus from whatever has it then.
      setTimeout(() => {
        if (previousFocus instanceof HTMLElement && document.activeElement === document.body) previousFocus.focus();
      }, 0);
    },
    [previousFocus],
  );
}
