// Splits and joins long texts between host and guest, because isolated-vm keeps long ones outside of V8's heap.
import { isSentInPieces, piecesMax, pieceUnits } from '../../wire.ts';

/** For the guest: replaces a long text by the number of its pieces, which follow last. No argument is a number. */
export function splitTexts<T>(args: readonly T[]): readonly (T | string | number)[] {
  if (!args.some(isSentInPieces)) return args;
  const pieces: string[] = [];
  const replaced = args.map((value) => {
    if (!isSentInPieces(value)) return value;
    for (let from = 0; from < value.length; from += pieceUnits) pieces.push(value.slice(from, from + pieceUnits));
    return Math.ceil(value.length / pieceUnits);
  });
  return [...replaced, ...pieces];
}

/** From the guest: `true` is in the place of the joined pieces. Undefined if the guest's own code never sends this. */
export function joinText(args: readonly unknown[], pieces: readonly unknown[]): readonly unknown[] | undefined {
  if (pieces.length === 0) return args;
  const isValid = pieces.length <= piecesMax && pieces.every(isPiece) && args.includes(true);
  return isValid ? args.map((value) => (value === true ? pieces.join('') : value)) : undefined;
}

const isPiece = (value: unknown): boolean => typeof value === 'string' && value.length <= pieceUnits;
