// Returns a value once it has not changed for a moment, so that typing does not send a request for each key.
import { useEffect, useState } from 'react';

/** As long as a pause in typing. */
const debounceMs = 400;

/** The value must be JSON, because values are compared as JSON text. */
export function useDebounced<T>(value: T): T {
  const text = JSON.stringify(value);
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(debounced) as T;
}
