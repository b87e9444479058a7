// A count without what is still being removed: two counts, between which a step of the removal may fall.

/** How often both counts are made at most: again when the first has changed meanwhile. */
const countsMax = 3;

export interface Counts {
  /** How many there are, those that are being removed included. */
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
