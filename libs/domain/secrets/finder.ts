// Finds any of many texts in another text in linear time: one look-up per position, then texts of a few lengths.

/** A range in the searched text, `to` exclusive. */
export type Span = readonly [from: number, to: number];

/** The shortest text that can be found: its first characters are the look-up key of a position. */
export const soughtCharsMin = 6;
/**
 * Longer texts are searched in pieces of this length, each found by itself. That bounds the cost of a position and
 * also finds a text that was cut somewhere, but for less than a piece at its end.
 */
export const pieceChars = 32;

type ByLength = Map<number, Set<string>>;

export class Finder {
  readonly #byStart = new Map<string, ByLength>();

  /** Texts shorter than `soughtCharsMin` are ignored. */
  constructor(texts: Iterable<string>) {
    for (const text of texts) for (const piece of piecesOf(text)) this.#add(piece);
  }

  /** In ascending order; overlapping and touching ranges are merged. */
  spansIn(text: string): readonly Span[] {
    const spans: [number, number][] = [];
    for (let from = 0; from + soughtCharsMin <= text.length; from++) {
      const length = this.#lengthAt(text, from);
      if (length === 0) continue;
      const last = spans.at(-1);
      if (last === undefined || from > last[1]) spans.push([from, from + length]);
      else if (from + length > last[1]) last[1] = from + length;
    }
    return spans;
  }

  /** Length of the longest piece that begins there; 0: none does. */
  #lengthAt(text: string, from: number): number {
    const byLength = this.#byStart.get(text.slice(from, from + soughtCharsMin));
    let longest = 0;
    for (const [length, pieces] of byLength ?? []) {
      if (length > longest && pieces.has(text.slice(from, from + length))) longest = length;
    }
    return longest;
  }

  #add(piece: string): void {
    const start = piece.slice(0, soughtCharsMin);
    const byLength: ByLength = this.#byStart.get(start) ?? new Map();
    this.#byStart.set(start, byLength);
    const pieces = byLength.get(piece.length) ?? new Set();
    byLength.set(piece.length, pieces.add(piece));
  }
}

/** Adjacent pieces; the last ends where the text ends, so that together they cover each occurrence of the text. */
function piecesOf(text: string): readonly string[] {
  if (text.length < soughtCharsMin) return [];
  if (text.length <= pieceChars) return [text];
  const pieces: string[] = [];
  for (let from = 0; from + pieceChars < text.length; from += pieceChars) {
    pieces.push(text.slice(from, from + pieceChars));
  }
  return [...pieces, text.slice(-pieceChars)];
}
