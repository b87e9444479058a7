// Calls a function for each item, so many at a time.

export async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  callback: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    while (queue.length > 0) {
      const [item] = queue.splice(0, 1) as [T];
      await callback(item);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** For cheap work: enough to keep two processors busy. */
export const defaultConcurrency = 4;
