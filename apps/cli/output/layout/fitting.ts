// Which columns of a table a terminal has room for, and how wide they are there.

interface Sized {
  readonly isSpare: boolean;
  /** As wide as its widest cell. */
  readonly chars: number;
  /** How wide it is with texts of so many characters at most: as wide as ever where nothing of it may be cut. */
  readonly cutTo: (textChars: number) => number;
}

interface Fitted<C> {
  readonly column: C;
  readonly chars: number;
}

/** Columns are left out before texts have less than this: most names have no more. */
const readableChars = 20;
/** What a text is cut to at most. */
const cutCharsMin = 8;

/** Spare columns go until the texts are readable, the last first; then texts are cut, the longest first. */
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
