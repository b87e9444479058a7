// Chooses which columns of a table fit into a terminal, and their widths.

interface Sized {
  readonly isSpare: boolean;
  /** The width of its widest cell. */
  readonly chars: number;
  /** The width if its texts are cut to so many characters; the full width if they cannot be cut. */
  readonly cutTo: (textChars: number) => number;
}

interface Fitted<C> {
  readonly column: C;
  readonly chars: number;
}

/** Columns are left out before texts are cut to less than this: most names are no longer. */
const readableChars = 20;
/** Texts are never cut to less than this. */
const cutCharsMin = 8;

/** Leaves out spare columns, the last first, until texts are readable; then cuts texts, the longest first. */
export function fitting<C extends Sized>(columns: readonly C[], lineChars: number, gapChars: number): Fitted<C>[] {
  const room = (widths: readonly number[]): number =>
    lineChars - widths.reduce((sum, chars) => sum + chars + gapChars, -gapChars);
  const kept = [...columns];
  while (room(kept.map(({ cutTo }) => cutTo(readableChars))) < 0) {
    const at = kept.findLastIndex(({ isSpare }) => isSpare);
    if (at === -1) break;
    kept.splice(at, 1);
  }
  const least = kept.map(({ cutTo }) => cutTo(cutCharsMin));
  const widths = kept.map(({ chars }) => chars);
  for (let left = room(widths); left < 0; left++) {
    const widest = Math.max(...widths.filter((chars, at) => chars > (least[at] ?? 0)));
    const at = widths.findIndex((chars, n) => chars === widest && chars > (least[n] ?? 0));
    if (at === -1) break;
    widths[at] = widest - 1;
  }
  return kept.map((column, at) => ({ column, chars: widths[at] ?? 0 }));
}
