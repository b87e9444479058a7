// Closes transactions that Kafka left open: a coordinator takes a partition without a leader for deleted, writes no end
// of the transaction there, and calls it complete (decision 0009). Readers would wait at its first record forever.
import { setTimeout as delay } from 'node:timers/promises';
import { PortError } from '../../../domain/port-error.ts';
import { Backoff } from '../../../primitives/backoff.ts';
import { limits } from '../kafka-limits.ts';
import { nameOf, type TopicPartition } from '../kafkajs/client/offsets.ts';
import type { IdempotentProducer } from '../kafkajs/producer/idempotent-producer.ts';

/** Where a transactional id may write; topics with the prefix. */
export interface Writes {
  /** Partitions that no other id writes to. */
  readonly own: readonly TopicPartition[];
  readonly shared: readonly TopicPartition[];
}

const firstPauseMs = 2;
const longestPauseMs = 100;

/**
 * Call it right after the take-over, which made the coordinator forget how the last transaction ended. An empty
 * transaction with the same outcome closes the last one wherever it is still open, and makes the coordinator remember.
 *
 * Resolves when everything in the owner's own partitions can be read. Throws PortError `unavailable` when that takes
 * too long, or when a transaction is open whose outcome is unknown.
 */
export async function closeLeftOpen(producer: IdempotentProducer, { own, shared }: Writes): Promise<void> {
  const { before } = producer;
  const isKnown = before === 'committed' || before === 'aborted';
  if (isKnown) await producer.endEmpty([...own, ...shared], before);
  const startedAt = performance.now();
  for (const backoff = new Backoff(firstPauseMs, longestPauseMs); ;) {
    const [open] = await undecidedIn(producer, own);
    if (open === undefined) return;
    if (performance.now() - startedAt > limits.shownMs) throw isKnown ? notShown(open) : undecidable(open);
    await delay(backoff.next());
  }
}

/** The places that hold records neither committed nor aborted yet. */
async function undecidedIn(
  producer: IdempotentProducer,
  places: readonly TopicPartition[],
): Promise<readonly TopicPartition[]> {
  const stable = await producer.ends(places, 'stable');
  const all = await producer.ends(places, 'all');
  return places.filter((place) => (stable.get(nameOf(place)) ?? 0) < (all.get(nameOf(place)) ?? 0));
}

const notShown = (place: TopicPartition): PortError =>
  new PortError('unavailable', `${nameOf(place)} does not show yet how its last transaction has ended`);

const undecidable = (place: TopicPartition): PortError =>
  new PortError(
    'unavailable',
    `${nameOf(place)} holds records of a transaction that Kafka has forgotten, and nothing shows whether it was ` +
      'committed: look at it with kafka-transactions.sh find-hanging, and abort it there if its work may be done again',
  );
