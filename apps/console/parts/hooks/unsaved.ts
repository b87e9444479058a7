// Asks for confirmation before unsaved input is lost by a link, going back, a reload or the end of the tab.
import { useEffect } from 'react';

const question = 'What you have changed here is not saved. Leave it all the same?';

/** The browser's navigation API, if it has one: links, going back and the console's own routing pass through it. */
interface Navigation extends EventTarget {
  readonly currentEntry: { readonly url: string | null } | null;
}

interface NavigateEvent extends Event {
  readonly destination: { readonly url: string };
  readonly hashChange: boolean;
}

/** One symbol for each part of the page that holds unsaved input. */
const unsaved = new Set<symbol>();
/** The path of the page on which something was last typed. */
let typedPath: string | undefined;

/** Notes typing in anything but a search. Input that a form has sent counts too: the service might refuse it. */
export function noteTyping({ target }: { readonly target: EventTarget }): void {
  if (target instanceof HTMLInputElement && target.type === 'search') return;
  typedPath = location.pathname;
}

/** Whether the page holds something that the user has typed. */
export const hasUnsavedInput = (): boolean => unsaved.size > 0 || typedPath === location.pathname;

/** After a sign-out, nothing is kept for the next user. */
export function forgetUnsavedInput(): void {
  unsaved.clear();
  typedPath = undefined;
}

export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const token = Symbol('unsaved');
    unsaved.add(token);
    const onBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    const onNavigate = (event: Event): void => {
      const { destination, cancelable } = event as NavigateEvent;
      const to = new URL(destination.url);
      if (!cancelable || to.origin !== location.origin || to.pathname === location.pathname) return;
      if (!confirm(question)) event.preventDefault();
    };
    const { navigation } = window as { readonly navigation?: Navigation };
    window.addEventListener('beforeunload', onBeforeUnload);
    navigation?.addEventListener('navigate', onNavigate);
    return () => {
      unsaved.delete(token);
      window.removeEventListener('beforeunload', onBeforeUnload);
      navigation?.removeEventListener('navigate', onNavigate);
    };
  }, [isUnsaved]);
}
