// Waits for conditions, with a deadline.

const firstPauseMs = 20;
/** Polls become rarer, because each is a load; the result is late by at most this part of the wait. */
const pauseShareOfWait = 0.1;
const pauseMaxMs = 200;
const nextPauseMs = (tookMs: number): number => Math.max(firstPauseMs, Math.min(pauseMaxMs, pauseShareOfWait * tookMs));

/**
 * Polls until `condition` returns something truthy, and returns it; throws with `what` after `deadlineMs`. `everyMs`
 * sets a fixed interval: short if the time is measured, long if a poll is itself a load.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  deadlineMs = 15_000,
  everyMs?: number,
): Promise<NonNullable<Exclude<T, false>>> {
  const startedAt = performance.now();
  for (;;) {
    const value = await condition();
    if (value) return value as NonNullable<Exclude<T, false>>;
    const tookMs = performance.now() - startedAt;
    if (tookMs > deadlineMs) throw new Error(`waited ${deadlineMs} ms in vain for: ${what}`);
    await pause(everyMs ?? nextPauseMs(tookMs));
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
