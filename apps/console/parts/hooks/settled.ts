// Returns a value once it has not changed for a moment, so that typing does not send a request for each key.
import { useEffect, useState } from 'react';

/** As long as a pause in typing. */
const settleMs = 400;

/** The value must be JSON, because values are compared as JSON text. */
export function useSettled<T>(value: T): T {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as T;
}
