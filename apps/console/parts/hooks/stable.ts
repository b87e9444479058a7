// A function that stays the same while what it does is that of the last draw: rows of long lists are not drawn anew for it.
import { useCallback, useEffect, useRef } from 'react';

export function useStable<Arguments extends readonly unknown[]>(
  change: (...given: Arguments) => void,
): (...given: Arguments) => void {
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  return useCallback((...given: Arguments) => latest.current(...given), []);
}
