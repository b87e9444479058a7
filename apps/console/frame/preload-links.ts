// Loads the page of a link when the pointer reaches the link, about a tenth of a second before the click.
import { useEffect, useState } from 'react';
import { useRouter } from 'wouter';
import { loadPage } from './pages.tsx';

/** Also loads the page that is shown first, while the service is still being asked who is signed in. */
export function useLinkPreloading(): void {
  const { parser } = useRouter();
  useState(() => loadPage(parser, location.pathname));
  useEffect(() => {
    const preload = ({ target }: Event): void => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null;
      if (link !== null) loadPage(parser, link.pathname);
    };
    document.addEventListener('pointerover', preload);
    document.addEventListener('focusin', preload);
    return () => {
      document.removeEventListener('pointerover', preload);
      document.removeEventListener('focusin', preload);
    };
  }, [parser]);
}
