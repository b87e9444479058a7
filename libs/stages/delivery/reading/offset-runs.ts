// Groups offsets that are close together into runs, each to be read at once.

export interface OffsetRun {
  readonly from: number;
  /** The offset after the run. */
  readonly to: number;
  /** How many of the offsets are in the run. */
  readonly count: number;
}

/** `within`: the largest distance between two neighbours of a run. Offsets that follow each other are always in one. */
export function offsetRunsOf(offsets: readonly number[], within: number): readonly OffsetRun[] {
  const runs: { from: number; to: number; count: number }[] = [];
  for (const offset of offsets) {
    const last = runs.at(-1);
    if (last !== undefined && offset - (last.to - 1) <= Math.max(1, within)) {
      last.to = offset + 1;
      last.count++;
    } else runs.push({ from: offset, to: offset + 1, count: 1 });
  }
  return runs;
}
