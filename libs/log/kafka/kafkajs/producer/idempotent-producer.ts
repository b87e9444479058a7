// Produces each record exactly once, to any number of brokers: a batch keeps its sequence number until its leader has
// answered for it, however often it is sent. The kafkajs producer does not do this (decision 0007).
import kafkajs from 'kafkajs';
import type { OutboundRecord } from './outbound-record.ts';
import { describeLastTransaction, type TransactionOutcome } from '../last-transaction.ts';
import { Link } from '../client/link.ts';
import { brokerOf, leaderOf, nameOf, offsetsOf, type Edge, type TopicPartition } from '../client/offsets.ts';
import { createCluster, type Cluster } from '../private-api.ts';
import type { Broker, ProducedPartition, ProducerIdentity } from '../kafka-protocol.ts';
import { isSuperseded } from '../client/kafka-errors.ts';
import { limits } from '../../kafka-limits.ts';
import type { KafkaServers } from '../../servers.ts';
import { splitIntoSends, type IndexedRow } from './batches.ts';
import { SequenceNumbers } from './sequence-numbers.ts';
import { KnownOutcomes } from './known-outcomes.ts';
import { retryUntilDone } from './retry-until-done.ts';

const { CompressionTypes } = kafkajs;

/** The protocol's last epoch but one; after it the producer asks for a new id. */
const epochMax = 32_766;

export interface ProducerSettings {
  readonly servers: KafkaServers;
  /** All topics that it will ever send to, with the prefix. Not empty: for that brokers describe the whole cluster. */
  readonly topics: readonly string[];
  /** Shared by all transactional producers of the process, since several use the same id one after the other. */
  readonly outcomes?: KnownOutcomes;
}

/** One batch of one partition, until its leader has answered for it. */
interface Batch extends ProducedPartition {
  readonly topic: string;
  readonly numbered: readonly IndexedRow[];
}

export class IdempotentProducer {
  readonly link: Link;
  readonly #cluster: Cluster;
  readonly #transactionalId: string | undefined;
  readonly #sequences = new SequenceNumbers();
  readonly #topics: readonly string[];
  readonly #outcomes: KnownOutcomes;
  #identity: ProducerIdentity | undefined;
  #started = false;
  #coordinator: Broker | undefined;
  #previousOutcome: TransactionOutcome = 'none';

  /** With a `transactionalId` everything it sends belongs to a transaction. */
  constructor(link: Link, cluster: Cluster, settings: Omit<ProducerSettings, 'servers'>, transactionalId?: string) {
    const { topics, outcomes = new KnownOutcomes() } = settings;
    this.link = link;
    this.#cluster = cluster;
    this.#topics = topics;
    this.#outcomes = outcomes;
    this.#transactionalId = transactionalId;
  }

  static create(settings: ProducerSettings, transactionalId?: string): IdempotentProducer {
    const link = new Link(settings.servers);
    return new IdempotentProducer(link, createCluster(link.kafka), settings, transactionalId);
  }

  /**
   * Ends this producer, and returns one with the same id and a higher epoch, as Kafka's own clients do: brokers then
   * refuse requests of the old one that are still on their way. The id is kept because brokers cannot give new ids
   * while their controller hangs; a new id is requested only if brokers no longer know this one. Not for a producer
   * with a transactional id.
   */
  replace(settings: ProducerSettings, error: unknown): IdempotentProducer {
    this.link.sever();
    const next = IdempotentProducer.create(settings);
    if (this.#identity !== undefined && this.#identity.producerEpoch < epochMax && !isSuperseded(error))
      next.#identity = { ...this.#identity, producerEpoch: this.#identity.producerEpoch + 1 };
    return next;
  }

  /**
   * Connects and asks for its identity: that fences all others with its transactional id and settles what they left.
   */
  async start(): Promise<void> {
    await this.#retry(() => this.#cluster.connect());
    await this.#retry(() => this.#cluster.addMultipleTargetTopics(this.#topics));
    this.#identity ??= await this.#requestIdentity();
    this.#started = true;
  }

  #requestIdentity(): Promise<ProducerIdentity> {
    const transactionalId = this.#transactionalId;
    const request = { transactionalId, transactionTimeout: limits.brokerTransactionMs };
    return this.#retry(async () => {
      if (transactionalId === undefined) return (await this.#cluster.findControllerBroker()).initProducerId(request);
      const coordinator = await this.#findCoordinator(transactionalId);
      const outcome = this.#outcomes.resolveOutcome(
        transactionalId,
        await describeLastTransaction(coordinator, transactionalId),
      );
      // A take-over erases the outcome, even an earlier attempt of this producer whose answer was lost.
      if (outcome !== 'none') this.#previousOutcome = outcome;
      this.#outcomes.countTakeOver(transactionalId);
      return coordinator.initProducerId(request);
    });
  }

  /** How the last transaction before the start ended. */
  get previousOutcome(): TransactionOutcome {
    return this.#previousOutcome;
  }

  /** Appends the rows; returns their offsets. One call at a time. */
  async send(rows: readonly OutboundRecord[]): Promise<readonly number[]> {
    if (!this.#started) await this.start();
    const offsets = Array.from(rows, () => NaN);
    for (const numbered of splitIntoSends(rows)) await this.#sendBatches(this.#batchesOf(numbered), offsets);
    return offsets;
  }

  /** The ends of the partitions, by `nameOf` each. */
  endOffsets(
    topicPartitions: readonly TopicPartition[],
    edge: Exclude<Edge, 'first'>,
  ): Promise<ReadonlyMap<string, number>> {
    return this.#retry(async () => {
      await this.#cluster.refreshMetadataIfNecessary();
      return offsetsOf(this.#cluster, topicPartitions, edge);
    });
  }

  /** Adds these partitions to the transaction under way: it includes all records sent to them from now on. */
  async addPartitions(topicPartitions: readonly TopicPartition[]): Promise<void> {
    const transactionalId = this.#requireTransactionalId();
    const topics = [...Map.groupBy(topicPartitions, ({ topic }) => topic)].map(([topic, own]) => ({
      topic,
      partitions: [...new Set(own.map(({ partition }) => partition))],
    }));
    await this.#retry(async () => {
      const coordinator = await this.#findCoordinator(transactionalId);
      await coordinator.addPartitionsToTxn({ ...this.#requireIdentity(), transactionalId, topics });
    });
  }

  /** Retried only while the coordinator answers that it has not committed: without an answer the outcome is unknown. */
  commit(): Promise<void> {
    return this.#endTransaction(true, 'answered');
  }

  /** Ends a transaction without records, which is idempotent and may be retried freely. */
  async endEmptyTransaction(
    topicPartitions: readonly TopicPartition[],
    outcome: 'committed' | 'aborted',
  ): Promise<void> {
    await this.addPartitions(topicPartitions);
    await this.#endTransaction(outcome === 'committed', 'always');
  }

  async #endTransaction(transactionResult: boolean, retryWhen: 'always' | 'answered'): Promise<void> {
    const transactionalId = this.#requireTransactionalId();
    const request = { ...this.#requireIdentity(), transactionalId, transactionResult };
    // Finds the coordinator first: a failure on the way to it leaves no doubt about the transaction.
    await this.#retry(() => this.#findCoordinator(transactionalId));
    await retryUntilDone({
      attempt: async () => (await this.#findCoordinator(transactionalId)).endTxn(request),
      onFailure: (error) => this.#refresh(error),
      retryWhen,
      isEnded: () => this.link.isSevered,
    });
  }

  async #sendBatches(batches: readonly Batch[], offsets: number[]): Promise<void> {
    const pending = new Set(batches);
    await this.#retry(async () => {
      await this.#cluster.refreshMetadataIfNecessary();
      const byLeader = Map.groupBy(pending, ({ topic, partition }) => leaderOf(this.#cluster, topic, partition));
      const sends = [...byLeader].map(([nodeId, group]) => this.#sendTo(nodeId, group, pending, offsets));
      // Every send has ended before any is retried: two copies of a batch under way could both be appended.
      const rejected = (await Promise.allSettled(sends)).find((one) => one.status === 'rejected');
      if (rejected !== undefined) throw rejected.reason;
    });
  }

  async #sendTo(nodeId: string, batches: readonly Batch[], pending: Set<Batch>, offsets: number[]): Promise<void> {
    const broker = await brokerOf(this.#cluster, nodeId);
    const bytes = batches.reduce((sum, { numbered }) => sum + numbered.reduce((own, { row }) => own + row.bytes, 0), 0);
    const { topics } = await broker.produce({
      ...this.#requireIdentity(),
      transactionalId: this.#transactionalId,
      acks: -1,
      timeout: limits.requestMs,
      compression: bytes < limits.compressFromBytes ? CompressionTypes.None : CompressionTypes.ZSTD,
      topicData: [...Map.groupBy(batches, ({ topic }) => topic)].map(([topic, partitions]) => ({ topic, partitions })),
    });
    const baseOffsets = new Map(
      topics.flatMap(({ topicName, partitions }) =>
        partitions.map(
          ({ partition, baseOffset }) => [nameOf({ topic: topicName, partition }), Number(baseOffset)] as const,
        ),
      ),
    );
    for (const batch of batches) {
      const first = baseOffsets.get(nameOf(batch));
      if (first === undefined || !(first >= 0)) throw new Error(`a broker did not answer for ${batch.topic}`);
      for (const [i, { index }] of batch.numbered.entries()) offsets[index] = first + i;
      pending.delete(batch);
    }
  }

  #batchesOf(numbered: readonly IndexedRow[]): readonly Batch[] {
    return [...Map.groupBy(numbered, ({ row }) => nameOf(row)).values()].flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const { topic, partition } = first.row;
      const messages = own.map(({ row: { key, value, headers, timestamp } }) => ({ key, value, headers, timestamp }));
      return [
        {
          topic,
          partition,
          messages,
          numbered: own,
          firstSequence: this.#sequences.reserve(topic, partition, own.length),
        },
      ];
    });
  }

  async #findCoordinator(transactionalId: string): Promise<Broker> {
    this.#coordinator ??= await this.#cluster.findGroupCoordinator({ groupId: transactionalId, coordinatorType: 1 });
    return this.#coordinator;
  }

  #retry<T>(attempt: () => Promise<T>): Promise<T> {
    const onFailure = (error: unknown): Promise<void> => this.#refresh(error);
    return retryUntilDone({ attempt, onFailure, retryWhen: 'always', isEnded: () => this.link.isSevered });
  }

  /** Forgets where the coordinator and the leaders are, and asks again. */
  async #refresh(error: unknown): Promise<void> {
    this.#coordinator = undefined;
    const { host, port } = error as { host?: string; port?: number };
    if (host !== undefined && port !== undefined) this.#cluster.removeBroker({ host, port });
    if (!this.#cluster.isConnected()) await this.#cluster.connect();
    await this.#cluster.refreshMetadata();
  }

  #requireIdentity(): ProducerIdentity {
    if (this.#identity === undefined) throw new Error('a producer is started before it sends');
    return this.#identity;
  }

  #requireTransactionalId(): string {
    if (this.#transactionalId === undefined) throw new Error('only a transactional producer has transactions');
    return this.#transactionalId;
  }
}
