// Waits for something, but not for ever.

/** What `work` gives within `maxMs`, else `otherwise`; it goes on then, unheard. Rejects as it does. */
export async function withinOr<T, Otherwise>(
  work: Promise<T>,
  maxMs: number,
  otherwise: Otherwise,
): Promise<T | Otherwise> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Otherwise>((resolve) => (timer = setTimeout(resolve, maxMs, otherwise)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether `work` resolved within `maxMs`; it goes on if not. Rejects as it does. */
export const inTime = (work: Promise<unknown>, maxMs: number): Promise<boolean> =>
  withinOr(
    work.then(() => true),
    maxMs,
    false,
  );
