// Scrolls to the top of a new page and announces it, as a browser does by itself for a page that it loads.
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';

/** By then the page has its title, unless the service is slow to answer. */
const titledMs = 500;

/** Tabs of one record are one page. */
const pageOf = (location: string): string => location.split('/').slice(0, 3).join('/');

export function PageAnnouncer(): ReactNode {
  const [location] = useLocation();
  const page = pageOf(location);
  const lastPage = useRef(page);
  const isBack = useRef(false);
  const [title, setTitle] = useState('');
  useEffect(() => {
    const onPopState = (): void => {
      isBack.current = true;
    };
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, []);
  useEffect(() => {
    if (lastPage.current === page) return undefined;
    lastPage.current = page;
    // After going back, the browser restores the scroll position itself.
    if (!isBack.current) window.scrollTo(0, 0);
    isBack.current = false;
    const timer = setTimeout(() => setTitle(document.title), titledMs);
    return () => clearTimeout(timer);
  }, [page]);
  return (
    <div className="unseen" aria-live="polite">
      {title}
    </div>
  );
}
