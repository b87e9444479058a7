// Remembers when a value was chosen, so that a query that counts back from then stays the same until the next choice.
import { useState } from 'react';
import { serviceNowMs } from '../../api/clock/service-clock.ts';

/** Epoch ms of the first render with this value. */
export function useChosenAt(value: string | undefined): number {
  const [choice, setChoice] = useState(() => ({ value, atMs: serviceNowMs() }));
  if (choice.value === value) return choice.atMs;
  const next = { value, atMs: serviceNowMs() };
  setChoice(next);
  return next.atMs;
}
