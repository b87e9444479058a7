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

/** One for each part of the page that holds something unsaved. */
const unsaved = new Set<symbol>();
/** The address of the page on which something was typed last. */
let typedAt: string | undefined;

/** Typed in anything but a search. What a form has sent counts too: the answer may be that it was refused. */
export function noteTyping({ target }: { readonly target: EventTarget }): void {
  if (target instanceof HTMLInputElement && target.type === 'search') return;
  typedAt = location.pathname;
}

/** Whether the page holds what somebody has written. */
export const hasWritten = (): boolean => unsaved.size > 0 || typedAt === location.pathname;

/** Of somebody who signs out nothing is kept for whoever signs in next. */
export function forgetWritten(): void {
  unsaved.clear();
  typedAt = undefined;
}

export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const part = Symbol('unsaved');
    unsaved.add(part);
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
      unsaved.delete(part);
      window.removeEventListener('beforeunload', leave);
      navigation?.removeEventListener('navigate', go);
    };
  }, [isUnsaved]);
}
