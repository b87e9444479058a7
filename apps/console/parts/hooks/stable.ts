// Returns a function that never changes and calls that of the last render, so that rows of long lists need no rerender.
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
