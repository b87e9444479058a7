// Remembers when a value was chosen, so that a query that counts back from then stays the same until the next choice.
import { useState } from 'react';

/** Epoch ms of the first render with this value. */
export function useChosenAt(value: string | undefined): number {
  const [chosen, setChosen] = useState(() => ({ value, atMs: Date.now() }));
  if (chosen.value === value) return chosen.atMs;
  const now = { value, atMs: Date.now() };
  setChosen(now);
  return now.atMs;
}
