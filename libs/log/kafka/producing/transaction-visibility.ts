// Waits between two transactions until the first can be read. If that takes too long, it lets the owner take over from
// itself, which settles the transaction.
import { PortError } from '../../../domain/port-error.ts';
import { Backoff } from '../../../primitives/backoff.ts';
import { Sleeper } from '../../../primitives/sleeper.ts';
import { within } from '../../../primitives/time-limit.ts';
import { unavailableError } from '../kafkajs/client/kafka-errors.ts';
import { limits } from '../kafka-limits.ts';
import type { TransactionalProducer } from './transactional-producer.ts';

/** Between attempts to settle while Kafka is away; each takes one epoch of the producer's id, which has 32,767. */
const firstPauseMs = 500;
const longestPauseMs = 10_000;

export class TransactionVisibility {
  readonly #takeOverAgain: (hidden: TransactionalProducer) => Promise<void>;
  readonly #sleeper = new Sleeper();
  /** The producer whose last transaction may not be readable yet. */
  #watched: TransactionalProducer | undefined;
  #watching: Promise<void> = Promise.resolve();

  /** `takeOverAgain` replaces a producer that was ended; it is called again while it throws retryable errors. */
  constructor(takeOverAgain: (ended: TransactionalProducer) => Promise<void>) {
    this.#takeOverAgain = takeOverAgain;
  }

  /** To be called when the producer has just committed a transaction, and will also make the next one. */
  watch(producer: TransactionalProducer): void {
    this.#watched = producer;
    this.#watching = this.#settleTransaction(producer);
  }

  /**
   * Resolves when the next transaction may begin. Throws PortError `unavailable` when that takes longer than `limitMs`.
   */
  async waitUntilVisible(limitMs: number): Promise<void> {
    const operation = 'showing the transaction before';
    await within(this.#watching, limitMs, operation).catch((error: unknown) => {
      throw unavailableError(operation, error);
    });
  }

  /** To be called when another take-over has settled the transaction: there is nothing left to wait for. */
  markSettled(): void {
    this.stop();
    this.#watching = Promise.resolve();
  }

  /** Stops settling. */
  stop(): void {
    this.#watched = undefined;
    this.#sleeper.wake();
  }

  /** Resolves when nothing is under way: soon after the producer was closed. */
  async waitUntilIdle(): Promise<void> {
    await within(this.#watching, limits.endMs, 'ending').catch(() => undefined);
  }

  async #settleTransaction(producer: TransactionalProducer): Promise<void> {
    if (await producer.confirmVisible()) return;
    for (const backoff = new Backoff(firstPauseMs, longestPauseMs); this.#watched === producer;) {
      try {
        return await this.#takeOverAgain(producer);
      } catch (error) {
        if (!(error instanceof PortError && error.retryable)) return;
        if (this.#watched === producer) await this.#sleeper.sleep(backoff.next());
      }
    }
  }
}
