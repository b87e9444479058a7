// Asks before what somebody has written is lost: by a link, the way back, a reload or the end of the tab.
import { useEffect } from 'react';

const question = 'What you have changed here is not saved. Leave it all the same?';

/** Of browsers that have it: also links, the way back and the console's own ways go through it. */
interface Navigation extends EventTarget {
  readonly currentEntry: { readonly url: string | null } | null;
}

interface NavigateEvent extends Event {
  readonly destination: { readonly url: string };
  readonly hashChange: boolean;
}

export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const leave = (event: BeforeUnloadEvent): void => event.preventDefault();
    const go = (event: Event): void => {
      const { destination, cancelable } = event as NavigateEvent;
      const to = new URL(destination.url);
      if (!cancelable || to.origin !== location.origin || to.pathname === location.pathname) return;
      if (!confirm(question)) event.preventDefault();
    };
    const { navigation } = window as { readonly navigation?: Navigation };
    window.addEventListener('beforeunload', leave);
    navigation?.addEventListener('navigate', go);
    return () => {
      window.removeEventListener('beforeunload', leave);
      navigation?.removeEventListener('navigate', go);
    };
  }, [isUnsaved]);
}
