// How much of what all owners share one may take: it never has everything, and three quarters if it is alone.

/** An owner may take more while it has less than this many times what is free. */
const shareOfFree = 3;

export const mayTakeOne = (own: number, free: number): boolean => own < shareOfFree * free;

/** How many it may take at once, so that it has no more than its share of what is free afterwards. */
export const mayTake = (own: number, free: number): number =>
  Math.max(0, Math.floor((shareOfFree * free - own) / (shareOfFree + 1)));
