// Finds any of many texts in another text in linear time: one look-up per position, then a search among the texts with
// the same beginning.

/** A range in the searched text, `to` exclusive. */
export type Span = readonly [from: number, to: number];

/** The shortest text that can be found: its first characters are the look-up key of a position. */
export const soughtCharsMin = 6;
/**
 * Longer texts are searched in pieces of this length, each found by itself. That bounds the cost of a position and
 * also finds a text that was cut somewhere, except for less than a piece at its end.
 */
export const pieceChars = 32;

export class Finder {
  readonly #byStart = new Map<string, Set<string> | SortedPieces>();

  /** Texts shorter than `soughtCharsMin` are ignored. */
  constructor(texts: Iterable<string>) {
    for (const text of texts) for (const piece of piecesOf(text)) this.#add(piece);
  }

  /** The found ranges in ascending order; overlapping and touching ones are merged. */
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
    const start = text.slice(from, from + soughtCharsMin);
    const pieces = this.#byStart.get(start);
    if (pieces === undefined) return 0;
    // Most pieces never occur, so they are sorted only when a text with their beginning is met.
    const sorted = pieces instanceof SortedPieces ? pieces : new SortedPieces(pieces);
    if (sorted !== pieces) this.#byStart.set(start, sorted);
    return sorted.lengthIn(text.slice(from, from + pieceChars));
  }

  #add(piece: string): void {
    const start = piece.slice(0, soughtCharsMin);
    const pieces = this.#byStart.get(start);
    if (pieces instanceof Set) pieces.add(piece);
    else this.#byStart.set(start, new Set([piece]));
  }
}

/** Sorted pieces with the same beginning: finds the longest with which a text begins in a few steps. */
class SortedPieces {
  readonly #pieces: readonly string[];
  /** For each: the place of the longest other piece that it begins with; -1: there is none. */
  readonly #shorter: readonly number[];

  constructor(pieces: Iterable<string>) {
    this.#pieces = [...pieces].sort();
    const prefixStack: number[] = [];
    this.#shorter = this.#pieces.map((piece, at) => {
      while (prefixStack.length > 0 && !piece.startsWith(this.#at(prefixStack.at(-1)))) prefixStack.pop();
      const shorter = prefixStack.at(-1) ?? -1;
      prefixStack.push(at);
      return shorter;
    });
  }

  /** Length of the longest piece that the text begins with; 0: it begins with none. */
  lengthIn(text: string): number {
    let at = this.#lastUpTo(text);
    // All pieces between a beginning of the text and the text in order begin with that beginning.
    const common = commonChars(this.#at(at), text);
    while (at >= 0 && this.#at(at).length > common) at = this.#shorter[at] ?? -1;
    return this.#at(at).length;
  }

  #lastUpTo(text: string): number {
    let [from, to] = [0, this.#pieces.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#at(middle) <= text) from = middle + 1;
      else to = middle;
    }
    return from - 1;
  }

  #at(at: number | undefined): string {
    return this.#pieces[at ?? -1] ?? '';
  }
}

function commonChars(one: string, other: string): number {
  let chars = 0;
  while (chars < one.length && one.charCodeAt(chars) === other.charCodeAt(chars)) chars++;
  return chars;
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
