// When something was chosen: what counts back from then stays the same question until another one is chosen.
import { useState } from 'react';

/** Epoch ms of the first draw with this value. */
export function useChosenAt(value: string | undefined): number {
  const [chosen, setChosen] = useState(() => ({ value, atMs: Date.now() }));
  if (chosen.value === value) return chosen.atMs;
  const now = { value, atMs: Date.now() };
  setChosen(now);
  return now.atMs;
}
