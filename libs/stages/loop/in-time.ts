// Waits for something, but not for ever.

/** Whether `work` resolved within `maxMs`; it goes on if not. Rejects as it does. */
export async function inTime(work: Promise<unknown>, maxMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, maxMs, false)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
