// Waiting on conditions with a deadline, never for luck.

const firstPauseMs = 20;
/** Asking costs the one that is waited for: what takes long is asked about more seldom, and known this much later at most. */
const shareOfWait = 0.1;
const pauseMaxMs = 200;
const growing = (tookMs: number): number => Math.max(firstPauseMs, Math.min(pauseMaxMs, shareOfWait * tookMs));

/**
 * Polls until `condition` gives something truthy, which it returns; throws with `what` after `deadlineMs`. Every `everyMs`
 * where that is given: often where the time is measured, seldom where asking is itself a load.
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
    await pause(everyMs ?? growing(tookMs));
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
