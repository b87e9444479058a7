// Returns a function that never changes and calls that of the last render, so that rows of long lists need no rerender.
import { useCallback, useEffect, useRef } from 'react';

export function useStableCallback<Arguments extends readonly unknown[]>(
  callback: (...args: Arguments) => void,
): (...args: Arguments) => void {
  const latest = useRef(callback);
  useEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Arguments) => latest.current(...args), []);
}
