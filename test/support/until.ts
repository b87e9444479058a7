// Waiting on conditions with a deadline, never for luck.

/** Polls until `condition` gives something truthy, which it returns; throws with `what` after `deadlineMs`. Seldom where asking is itself a load. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  deadlineMs = 15_000,
  everyMs = 20,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const value = await condition();
    if (value) return value as NonNullable<Exclude<T, false>>;
    if (performance.now() > deadline) throw new Error(`waited ${deadlineMs} ms in vain for: ${what}`);
    await pause(everyMs);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
