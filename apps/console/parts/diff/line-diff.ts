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
const around = 3;
/** Cells of the table for the smallest diff: about 2,000 old by 2,000 new lines. Above, all lines count as replaced. */
const cellsMax = 4_000_000;

export function diffOf(before: string, after: string): readonly (DiffLine | Gap)[] {
  return shortened(changes(before.split('\n'), after.split('\n')));
}

function changes(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start++;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const olds = before.slice(start, before.length - end);
  const news = after.slice(start, after.length - end);
  const same = (text: string, index: number): DiffLine => ({ kind: 'same', text, number: index + 1 });
  return [
    ...after.slice(0, start).map(same),
    ...between(olds, news, start),
    ...after.slice(after.length - end).map((text, index) => same(text, after.length - end + index)),
  ];
}

/** Uses the longest common subsequence; removed lines come before the lines added in their place. */
function between(olds: readonly string[], news: readonly string[], offset: number): readonly DiffLine[] {
  const lengths = commonLengths(olds, news);
  const lines: DiffLine[] = [];
  const width = news.length + 1;
  const common = (i: number, j: number): number => lengths?.[i * width + j] ?? 0;
  let [i, j] = [0, 0];
  while (i < olds.length || j < news.length) {
    if (lengths !== undefined && i < olds.length && j < news.length && olds[i] === news[j]) {
      lines.push({ kind: 'same', text: news[j] ?? '', number: offset + j + 1 });
      i++;
      j++;
    } else if (i < olds.length && (j >= news.length || common(i + 1, j) >= common(i, j + 1))) {
      lines.push({ kind: 'removed', text: olds[i] ?? '', number: offset + i + 1 });
      i++;
    } else {
      lines.push({ kind: 'added', text: news[j] ?? '', number: offset + j + 1 });
      j++;
    }
  }
  return lines;
}

/** For each pair of positions, row by row, how many lines the two remainders share; undefined: too many cells. */
function commonLengths(olds: readonly string[], news: readonly string[]): Uint32Array | undefined {
  const width = news.length + 1;
  if ((olds.length + 1) * width > cellsMax) return undefined;
  const lengths = new Uint32Array((olds.length + 1) * width);
  for (let i = olds.length - 1; i >= 0; i--)
    for (let j = news.length - 1; j >= 0; j--) {
      const [below, right] = [lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0];
      lengths[i * width + j] =
        olds[i] === news[j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(below, right);
    }
  return lengths;
}

function shortened(lines: readonly DiffLine[]): readonly (DiffLine | Gap)[] {
  const near = new Uint8Array(lines.length);
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') near.fill(1, Math.max(0, index - around), index + around + 1);
  });
  const kept: (DiffLine | Gap)[] = [];
  let left = 0;
  lines.forEach((line, index) => {
    if (near[index] === 0) left++;
    else {
      if (left > 0) kept.push({ kind: 'gap', lines: left });
      left = 0;
      kept.push(line);
    }
  });
  return left > 0 ? [...kept, { kind: 'gap', lines: left }] : kept;
}
