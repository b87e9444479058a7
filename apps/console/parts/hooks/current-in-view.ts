// Scrolls a row or column of links so that the current link is in view.
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Returns the ref for the element that scrolls the links. The page itself does not scroll. */
export function useCurrentInView<E extends HTMLElement>(location: string): RefObject<E | null> {
  const container = useRef<E>(null);
  useEffect(() => {
    const current = container.current?.querySelector('[aria-current="page"]');
    if (container.current !== null && current !== null && current !== undefined) scrollTo(container.current, current);
  }, [location]);
  return container;
}

function scrollTo(container: HTMLElement, current: Element): void {
  const [outer, inner] = [container.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.left < outer.left || inner.right > outer.right)
    container.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    container.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
}
