// Scrolls a row or column of links so that the current link is in view.
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Returns the ref for the element that scrolls the links. The page itself does not scroll. */
export function useCurrentInView<E extends HTMLElement>(location: string): RefObject<E | null> {
  const around = useRef<E>(null);
  useEffect(() => {
    const current = around.current?.querySelector('[aria-current="page"]');
    if (around.current !== null && current !== null && current !== undefined) scrollTo(around.current, current);
  }, [location]);
  return around;
}

function scrollTo(around: HTMLElement, current: Element): void {
  const [outer, inner] = [around.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.left < outer.left || inner.right > outer.right)
    around.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    around.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
}
