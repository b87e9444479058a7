// A value that follows another once that has not changed for a moment: what is typed is not asked about at each key.
import { useEffect, useState } from 'react';

/** A pause in the typing. */
const settleMs = 400;

/** Of JSON. */
export function useSettled<T>(value: T): T {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as T;
}
