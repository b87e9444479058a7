// Counts without what is being removed: as the difference of two counts, between which some can be removed.

/** How often both are counted at most: again if the first count has changed meanwhile. */
const countsMax = 3;

export interface Counts {
  /** How many there are, including those that are being removed. */
  readonly countAll: () => Promise<number>;
  /** How many of them are being removed. */
  readonly countRemoving: () => Promise<number>;
}

export async function countWithout({ countAll, countRemoving }: Counts): Promise<number> {
  let [removing, total] = [await countRemoving(), await countAll()];
  for (let counts = 1; counts < countsMax; counts++) {
    const removingAgain = await countRemoving();
    if (removingAgain === removing) break;
    [removing, total] = [removingAgain, await countAll()];
  }
  return Math.max(0, total - removing);
}
