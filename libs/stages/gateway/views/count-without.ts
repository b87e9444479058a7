// Counts without what is being removed: as the difference of two counts, between which some can be removed.

/** How often both are counted at most: again if the first count has changed meanwhile. */
const countsMax = 3;

export interface Counts {
  /** How many there are, including those that are being removed. */
  readonly all: () => Promise<number>;
  /** How many of them are being removed. */
  readonly taken: () => Promise<number>;
}

export async function countWithout({ all, taken }: Counts): Promise<number> {
  let [left, found] = [await taken(), await all()];
  for (let counts = 1; counts < countsMax; counts++) {
    const again = await taken();
    if (again === left) break;
    [left, found] = [again, await all()];
  }
  return Math.max(0, found - left);
}
