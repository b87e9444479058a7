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
