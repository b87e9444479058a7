// Splits and joins long texts between guest and host, because isolated-vm keeps long ones outside of V8's heap.
import { isSentInPieces, pieceUnits } from '../../wire.ts';
import { stringSlice } from './primordials.ts';

/** Replaces a text whose pieces follow the other arguments. */
const splitMarker = true;

/** Moves the last long text, in pieces, to the end of the arguments; returns whether there was one. */
export function splitText(args: unknown[]): boolean {
  for (let at = args.length - 1; at >= 0; at--) {
    const text = args[at];
    if (!isSentInPieces(text)) continue;
    args[at] = splitMarker;
    for (let from = 0; from < text.length; from += pieceUnits)
      args[args.length] = stringSlice(text, from, from + pieceUnits);
    return true;
  }
  return false;
}

/** Joins texts from the host: each number stands for a text of so many pieces, which follow the other arguments. */
export function joinTexts(args: unknown[]): void {
  let pieces = 0;
  for (let at = 0; at < args.length; at++) if (typeof args[at] === 'number') pieces += args[at] as number;
  if (pieces === 0) return;
  let nextPiece = args.length - pieces;
  const firstPiece = nextPiece;
  for (let at = 0; at < firstPiece; at++) {
    const count = args[at];
    if (typeof count !== 'number') continue;
    let text = '';
    for (let piece = 0; piece < count; piece++) text += args[nextPiece++] as string;
    args[at] = text;
  }
}
