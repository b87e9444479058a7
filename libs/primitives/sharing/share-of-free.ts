// Bounds how much of a shared resource one owner can take: three quarters if it is alone, and never everything.

/** An owner may take more while it has less than this many times the free amount. */
const shareOfFree = 3;

export const canTakeOne = (own: number, free: number): boolean => own < shareOfFree * free;

/** How many it may take at once, without then having more than its share of what is left free. */
export const takeableCount = (own: number, free: number): number =>
  Math.max(0, Math.floor((shareOfFree * free - own) / (shareOfFree + 1)));
