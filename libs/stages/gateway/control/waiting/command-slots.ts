// Slots for requests that wait for the outcome of a command: no workspace can take them all, and slow commands have
// their own.
import { SharedSlots, type SharedSlotsLimits } from '../../../../primitives/sharing/shared-slots.ts';
import { TooManyWaiting } from './too-many-waiting.ts';

/**
 * `installing`: packages might have to be installed first, which takes minutes and continues without its client: such a
 * slot is held until that has ended. `deletesKey` and `endsSession` take access away: no other wait blocks them, and
 * neither blocks the other, since a key that only reads may sign out.
 */
export type SlotKind = 'usual' | 'installing' | 'deletesKey' | 'endsSession';

/** Each holds a socket and a few hundred bytes; if more wait, lifecycle is stuck, and more waiting helps nobody. */
export const slotLimits: Readonly<Record<SlotKind, SharedSlotsLimits>> = {
  usual: { all: 1_000, each: 200 },
  installing: { all: 64, each: 16 },
  deletesKey: { all: 256, each: 16 },
  endsSession: { all: 256, each: 16 },
};

const tooMany = 'Too many requests wait for their outcome.';
const messages: Readonly<Record<SlotKind, string>> = {
  usual: tooMany,
  installing: 'Too many requests wait for packages of the npm registry.',
  deletesKey: tooMany,
  endsSession: tooMany,
};

export class CommandSlots {
  readonly #shares: Readonly<Record<SlotKind, SharedSlots>> = {
    usual: new SharedSlots(slotLimits.usual),
    installing: new SharedSlots(slotLimits.installing),
    deletesKey: new SharedSlots(slotLimits.deletesKey),
    endsSession: new SharedSlots(slotLimits.endsSession),
  };

  /** Returns a function that frees the slot; call it once. Throws TooManyWaiting. */
  acquire(kind: SlotKind, workspace: string): () => void {
    const shares = this.#shares[kind];
    if (!shares.tryAcquire(workspace)) throw new TooManyWaiting(messages[kind]);
    return () => shares.release(workspace);
  }
}
