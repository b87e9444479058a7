// Finds any of many texts in another one in linear time, whatever they are: one look-up a position, then texts of few lengths.

/** A place in the text that is looked through, `to` exclusive. */
export type Span = readonly [from: number, to: number];

/** No text that is looked for may be shorter: its first characters are what a position is looked up by. */
export const soughtCharsMin = 6;
/**
 * Longer texts are looked for in pieces of this length, each found on its own. It bounds what a position costs, and a
 * text that was cut somewhere is found all the same.
 */
const pieceChars = 32;

type ByLength = Map<number, Set<string>>;

export class Finder {
  readonly #byStart = new Map<string, ByLength>();

  /** Texts below `soughtCharsMin` are not looked for. */
  constructor(texts: Iterable<string>) {
    for (const text of texts) for (const piece of piecesOf(text)) this.#add(piece);
  }

  /** In ascending order; overlapping and touching ones are one. */
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

  /** Of the longest piece that begins there; 0: none does. */
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

/** Side by side, and the last one up to the end: an occurrence of the whole text is covered by those of its pieces. */
function piecesOf(text: string): readonly string[] {
  if (text.length < soughtCharsMin) return [];
  if (text.length <= pieceChars) return [text];
  const pieces: string[] = [];
  for (let from = 0; from + pieceChars < text.length; from += pieceChars) {
    pieces.push(text.slice(from, from + pieceChars));
  }
  return [...pieces, text.slice(-pieceChars)];
}
