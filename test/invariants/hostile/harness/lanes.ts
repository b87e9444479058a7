// Calls a function for each item, so many at a time.

export async function inLanes<T>(items: readonly T[], atOnce: number, act: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const lane = async (): Promise<void> => {
    while (waiting.length > 0) {
      const [item] = waiting.splice(0, 1) as [T];
      await act(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** For cheap work: enough to keep two processors busy. */
export const atOnceDefault = 4;
