// Chooses which columns of a table fit into a terminal, and their widths.

interface SizedColumn {
  readonly isOptional: boolean;
  /** The width of its widest cell. */
  readonly chars: number;
  /** The width if its texts are cut to so many characters; the full width if they cannot be cut. */
  readonly cutTo: (textChars: number) => number;
}

interface FittedColumn<C> {
  readonly column: C;
  readonly chars: number;
}

/** Columns are left out before texts are cut to less than this: most names are no longer. */
const readableChars = 20;
/** Texts are never cut to less than this. */
const cutCharsMin = 8;

/** Leaves out spare columns, the last first, until texts are readable; then cuts texts, the longest first. */
export function fitColumns<C extends SizedColumn>(
  columns: readonly C[],
  lineChars: number,
  gapChars: number,
): FittedColumn<C>[] {
  const remainingChars = (widths: readonly number[]): number =>
    lineChars - widths.reduce((sum, chars) => sum + chars + gapChars, -gapChars);
  const shownColumns = [...columns];
  while (remainingChars(shownColumns.map(({ cutTo }) => cutTo(readableChars))) < 0) {
    const at = shownColumns.findLastIndex(({ isOptional }) => isOptional);
    if (at === -1) break;
    shownColumns.splice(at, 1);
  }
  const minWidths = shownColumns.map(({ cutTo }) => cutTo(cutCharsMin));
  const widths = shownColumns.map(({ chars }) => chars);
  for (let remaining = remainingChars(widths); remaining < 0; remaining++) {
    const widest = Math.max(...widths.filter((chars, at) => chars > (minWidths[at] ?? 0)));
    const at = widths.findIndex((chars, n) => chars === widest && chars > (minWidths[n] ?? 0));
    if (at === -1) break;
    widths[at] = widest - 1;
  }
  return shownColumns.map((column, at) => ({ column, chars: widths[at] ?? 0 }));
}
