// Texts that cross between guest and host in pieces, because isolated-vm keeps long ones outside of V8's heap.
import { isInPieces, piecesMax, pieceUnits } from '../../wire.ts';

/** For the guest: the number of its pieces stands for a long text, and the pieces follow behind. No argument is a number. */
export function splitTexts<T>(args: readonly T[]): readonly (T | string | number)[] {
  if (!args.some(isInPieces)) return args;
  const pieces: string[] = [];
  const others = args.map((value) => {
    if (!isInPieces(value)) return value;
    for (let from = 0; from < value.length; from += pieceUnits) pieces.push(value.slice(from, from + pieceUnits));
    return Math.ceil(value.length / pieceUnits);
  });
  return [...others, ...pieces];
}

/** From the guest: `true` stands for the text whose pieces these are. Undefined if they are not what the guest makes. */
export function joinText(args: readonly unknown[], pieces: readonly unknown[]): readonly unknown[] | undefined {
  if (pieces.length === 0) return args;
  const isMade = pieces.length <= piecesMax && pieces.every(isPiece) && args.includes(true);
  return isMade ? args.map((value) => (value === true ? pieces.join('') : value)) : undefined;
}

const isPiece = (value: unknown): boolean => typeof value === 'string' && value.length <= pieceUnits;
