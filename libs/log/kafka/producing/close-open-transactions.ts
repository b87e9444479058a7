// Closes transactions that Kafka left open: a coordinator takes a partition without a leader for deleted, writes no end
// of the transaction there, and calls it complete (decision 0009). Readers would wait at its first record forever.
import { setTimeout as delay } from 'node:timers/promises';
import { PortError } from '../../../domain/port-error.ts';
import { Backoff } from '../../../primitives/backoff.ts';
import { limits } from '../kafka-limits.ts';
import { nameOf, type TopicPartition } from '../kafkajs/client/offsets.ts';
import type { IdempotentProducer } from '../kafkajs/producer/idempotent-producer.ts';

/** Where a transactional id may write; topics with the prefix. */
export interface KafkaWriteScope {
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
export async function closeOpenTransactions(
  producer: IdempotentProducer,
  { own, shared }: KafkaWriteScope,
): Promise<void> {
  const { previousOutcome } = producer;
  const isKnown = previousOutcome === 'committed' || previousOutcome === 'aborted';
  if (isKnown) await producer.endEmptyTransaction([...own, ...shared], previousOutcome);
  const startedAt = performance.now();
  for (const backoff = new Backoff(firstPauseMs, longestPauseMs); ;) {
    const [undecided] = await findUndecided(producer, own);
    if (undecided === undefined) return;
    if (performance.now() - startedAt > limits.visibleMs)
      throw isKnown ? notVisibleError(undecided) : undecidableError(undecided);
    await delay(backoff.next());
  }
}

/** The places that hold records neither committed nor aborted yet. */
async function findUndecided(
  producer: IdempotentProducer,
  topicPartitions: readonly TopicPartition[],
): Promise<readonly TopicPartition[]> {
  const stableEnds = await producer.endOffsets(topicPartitions, 'stable');
  const highWatermarks = await producer.endOffsets(topicPartitions, 'all');
  return topicPartitions.filter(
    (place) => (stableEnds.get(nameOf(place)) ?? 0) < (highWatermarks.get(nameOf(place)) ?? 0),
  );
}

const notVisibleError = (place: TopicPartition): PortError =>
  new PortError('unavailable', `${nameOf(place)} does not show yet how its last transaction has ended`);

const undecidableError = (place: TopicPartition): PortError =>
  new PortError(
    'unavailable',
    `${nameOf(place)} holds records of a transaction that Kafka has forgotten, and nothing shows whether it was ` +
      'committed: look at it with kafka-transactions.sh find-hanging, and abort it there if its work may be done again',
  );
