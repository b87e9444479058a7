// Places for requests that wait for the outcome of a command: no workspace can take them all, and slow commands have
// their own.
import { Shares, type SharesLimits } from '../../../../primitives/sharing/shares.ts';
import { TooManyWaiting } from './too-many-waiting.ts';

/**
 * `installing`: packages might have to be installed first, which takes minutes and continues without its client: such a
 * place is kept until that has ended. `deletesKey` and `endsSession` take access away: no other wait blocks them, and
 * neither blocks the other, since a key that only reads may sign out.
 */
export type PlaceKind = 'usual' | 'installing' | 'deletesKey' | 'endsSession';

/** Each holds a socket and a few hundred bytes; if more wait, lifecycle is stuck, and more waiting helps nobody. */
export const placesMax: Readonly<Record<PlaceKind, SharesLimits>> = {
  usual: { all: 1_000, each: 200 },
  installing: { all: 64, each: 16 },
  deletesKey: { all: 256, each: 16 },
  endsSession: { all: 256, each: 16 },
};

const tooMany = 'Too many requests wait for their outcome.';
const messages: Readonly<Record<PlaceKind, string>> = {
  usual: tooMany,
  installing: 'Too many requests wait for packages of the npm registry.',
  deletesKey: tooMany,
  endsSession: tooMany,
};

export class CommandPlaces {
  readonly #shares: Readonly<Record<PlaceKind, Shares>> = {
    usual: new Shares(placesMax.usual),
    installing: new Shares(placesMax.installing),
    deletesKey: new Shares(placesMax.deletesKey),
    endsSession: new Shares(placesMax.endsSession),
  };

  /** Returns a function that frees the place; call it once. Throws TooManyWaiting. */
  take(kind: PlaceKind, workspace: string): () => void {
    const shares = this.#shares[kind];
    if (!shares.take(workspace)) throw new TooManyWaiting(messages[kind]);
    return () => shares.leave(workspace);
  }
}
