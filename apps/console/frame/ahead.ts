// Loads the page of a link when the pointer reaches the link, about a tenth of a second before the click.
import { useEffect, useState } from 'react';
import { useRouter } from 'wouter';
import { loadPage } from './pages.tsx';

/** Also loads the page that is shown first, while the service is still being asked who is signed in. */
export function useLoadAhead(): void {
  const { parser } = useRouter();
  useState(() => loadPage(parser, location.pathname));
  useEffect(() => {
    const look = ({ target }: Event): void => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null;
      if (link !== null) loadPage(parser, link.pathname);
    };
    document.addEventListener('pointerover', look);
    document.addEventListener('focusin', look);
    return () => {
      document.removeEventListener('pointerover', look);
      document.removeEventListener('focusin', look);
    };
  }, [parser]);
}
