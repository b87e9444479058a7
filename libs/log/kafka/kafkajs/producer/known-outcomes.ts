// How the last transactions of transactional ids ended, as this process was told before it took over. A take-over makes the
// coordinator forget that, and may be cut off before it has put it right: the next one from here goes on from this.
import type { LastTransaction, Outcome } from '../last-outcome.ts';

interface Known extends LastTransaction {
  /** Take-overs that were asked for from here since; each that arrives raises the epoch by one. */
  takeOvers: number;
}

export class KnownOutcomes {
  /** By transactional id: one for each partition that was owned here. */
  readonly #known = new Map<string, Known>();

  /** `last`: what the coordinator says now. Gives how the last transaction ended, `none` if nobody knows. */
  told(transactionalId: string, last: LastTransaction): Outcome {
    if (last.outcome === 'none') return this.#before(transactionalId, last);
    this.#known.set(transactionalId, { ...last, takeOvers: 0 });
    return last.outcome;
  }

  /** Call it right before each take-over that is asked for. */
  takesOver(transactionalId: string): void {
    const known = this.#known.get(transactionalId);
    if (known !== undefined) known.takeOvers += 1;
  }

  /** More epochs than take-overs of ours are another owner's, whose transactions may have ended otherwise. */
  #before(transactionalId: string, { producerId, producerEpoch }: LastTransaction): Outcome {
    const known = this.#known.get(transactionalId);
    if (known === undefined || known.producerId !== producerId) return 'none';
    return producerEpoch - known.producerEpoch <= known.takeOvers ? known.outcome : 'none';
  }
}
