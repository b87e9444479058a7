// Remembers how the last transaction of each transactional id ended, as the coordinator said before a take-over. The
// take-over makes the coordinator forget it; if it is interrupted, the next one of this process needs the outcome.
import type { LastTransaction, Outcome } from '../last-outcome.ts';

interface Known extends LastTransaction {
  /** How many take-overs this process has requested since. Each that arrives raises the epoch by one. */
  takeOvers: number;
}

export class KnownOutcomes {
  /** By transactional id: one for each partition that this process has owned. */
  readonly #known = new Map<string, Known>();

  /** `last`: the coordinator's present answer. Returns how the last transaction ended, `none` if that is unknown. */
  told(transactionalId: string, last: LastTransaction): Outcome {
    if (last.outcome === 'none') return this.#before(transactionalId, last);
    this.#known.set(transactionalId, { ...last, takeOvers: 0 });
    return last.outcome;
  }

  /** To be called right before each request for a take-over. */
  takesOver(transactionalId: string): void {
    const known = this.#known.get(transactionalId);
    if (known !== undefined) known.takeOvers += 1;
  }

  /** More new epochs than take-overs of this process are another owner's; its transactions may have ended otherwise. */
  #before(transactionalId: string, { producerId, producerEpoch }: LastTransaction): Outcome {
    const known = this.#known.get(transactionalId);
    if (known === undefined || known.producerId !== producerId) return 'none';
    return producerEpoch - known.producerEpoch <= known.takeOvers ? known.outcome : 'none';
  }
}
