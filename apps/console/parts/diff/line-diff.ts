// Compares two texts line by line; returns the changes, with a few lines around each.

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** The line number in the new text, from 1; of a removed line, in the old text. */
  readonly number: number;
}

/** Unchanged lines between two changes that are left out. */
export interface Gap {
  readonly kind: 'gap';
  readonly lines: number;
}

/** Unchanged lines that are shown before and after a change. */
const contextLines = 3;
/** Cells of the table for the smallest diff: about 2,000 old by 2,000 new lines. Above, all lines count as replaced. */
const cellsMax = 4_000_000;

export function diffOf(before: string, after: string): readonly (DiffLine | Gap)[] {
  return collapseUnchanged(compareLines(before.split('\n'), after.split('\n')));
}

function compareLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const minLength = Math.min(before.length, after.length);
  let start = 0;
  while (start < minLength && before[start] === after[start]) start++;
  let end = 0;
  while (end < minLength - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const oldLines = before.slice(start, before.length - end);
  const newLines = after.slice(start, after.length - end);
  const same = (text: string, index: number): DiffLine => ({ kind: 'same', text, number: index + 1 });
  return [
    ...after.slice(0, start).map(same),
    ...diffMiddle(oldLines, newLines, start),
    ...after.slice(after.length - end).map((text, index) => same(text, after.length - end + index)),
  ];
}

/** Uses the longest common subsequence; removed lines come before the lines added in their place. */
function diffMiddle(oldLines: readonly string[], newLines: readonly string[], offset: number): readonly DiffLine[] {
  const lengths = commonLengths(oldLines, newLines);
  const lines: DiffLine[] = [];
  const width = newLines.length + 1;
  const commonAt = (i: number, j: number): number => lengths?.[i * width + j] ?? 0;
  let [i, j] = [0, 0];
  while (i < oldLines.length || j < newLines.length) {
    if (lengths !== undefined && i < oldLines.length && j < newLines.length && oldLines[i] === newLines[j]) {
      lines.push({ kind: 'same', text: newLines[j] ?? '', number: offset + j + 1 });
      i++;
      j++;
    } else if (i < oldLines.length && (j >= newLines.length || commonAt(i + 1, j) >= commonAt(i, j + 1))) {
      lines.push({ kind: 'removed', text: oldLines[i] ?? '', number: offset + i + 1 });
      i++;
    } else {
      lines.push({ kind: 'added', text: newLines[j] ?? '', number: offset + j + 1 });
      j++;
    }
  }
  return lines;
}

/** For each pair of positions, row by row, how many lines the two remainders share; undefined: too many cells. */
function commonLengths(oldLines: readonly string[], newLines: readonly string[]): Uint32Array | undefined {
  const width = newLines.length + 1;
  if ((oldLines.length + 1) * width > cellsMax) return undefined;
  const lengths = new Uint32Array((oldLines.length + 1) * width);
  for (let i = oldLines.length - 1; i >= 0; i--)
    for (let j = newLines.length - 1; j >= 0; j--) {
      const [below, right] = [lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0];
      lengths[i * width + j] =
        oldLines[i] === newLines[j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(below, right);
    }
  return lengths;
}

function collapseUnchanged(lines: readonly DiffLine[]): readonly (DiffLine | Gap)[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') isNear.fill(1, Math.max(0, index - contextLines), index + contextLines + 1);
  });
  const collapsed: (DiffLine | Gap)[] = [];
  let skipped = 0;
  lines.forEach((line, index) => {
    if (isNear[index] === 0) skipped++;
    else {
      if (skipped > 0) collapsed.push({ kind: 'gap', lines: skipped });
      skipped = 0;
      collapsed.push(line);
    }
  });
  return skipped > 0 ? [...collapsed, { kind: 'gap', lines: skipped }] : collapsed;
}
