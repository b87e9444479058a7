// Remembers how the last transaction of each transactional id ended, as the coordinator said before a take-over. The
// take-over makes the coordinator forget it; if it is interrupted, the next one of this process needs the outcome.
import type { LastTransaction, TransactionOutcome } from '../last-transaction.ts';

interface KnownTransaction extends LastTransaction {
  /** How many take-overs this process has requested since. Each that arrives raises the epoch by one. */
  takeOvers: number;
}

export class KnownOutcomes {
  /** By transactional id: one for each partition that this process has owned. */
  readonly #known = new Map<string, KnownTransaction>();

  /** `last`: the coordinator's present answer. Returns how the last transaction ended, `none` if that is unknown. */
  resolveOutcome(transactionalId: string, last: LastTransaction): TransactionOutcome {
    if (last.outcome === 'none') return this.#recallOutcome(transactionalId, last);
    this.#known.set(transactionalId, { ...last, takeOvers: 0 });
    return last.outcome;
  }

  /** To be called right before each request for a take-over. */
  countTakeOver(transactionalId: string): void {
    const known = this.#known.get(transactionalId);
    if (known !== undefined) known.takeOvers += 1;
  }

  /** More new epochs than take-overs of this process are another owner's; its transactions may have ended otherwise. */
  #recallOutcome(transactionalId: string, { producerId, producerEpoch }: LastTransaction): TransactionOutcome {
    const known = this.#known.get(transactionalId);
    if (known === undefined || known.producerId !== producerId) return 'none';
    return producerEpoch - known.producerEpoch <= known.takeOvers ? known.outcome : 'none';
  }
}
