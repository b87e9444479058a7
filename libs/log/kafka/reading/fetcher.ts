// Fetches from partitions without a consumer group, on its own connections; after a failure it reconnects.
import { setTimeout as delay } from 'node:timers/promises';
import { PortError } from '../../../domain/port-error.ts';
import { Backoff } from '../../../primitives/backoff.ts';
import { within } from '../../../primitives/time-limit.ts';
import { Link } from '../kafkajs/client/link.ts';
import {
  brokerOf,
  isKnownTopic,
  leaderOf,
  nameOf,
  offsetsOf,
  type Edge,
  type TopicPartition,
} from '../kafkajs/client/offsets.ts';
import { createCluster, type Cluster } from '../kafkajs/private-api.ts';
import type { Broker, FetchRequest, RawMessage, RawPartition } from '../kafkajs/kafka-protocol.ts';
import { brokerErrorType, hasLeaderMoved, unavailableError } from '../kafkajs/client/kafka-errors.ts';
import { limits } from '../kafka-limits.ts';
import type { KafkaServers } from '../servers.ts';
import { committedMessagesOf, offsetAfter } from '../kafkajs/committed-messages.ts';

/** One partition and the offset to read from. */
export interface FetchPosition {
  /** With the prefix. */
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

export interface Fetched {
  readonly topic: string;
  readonly partition: number;
  /** Committed records, from the wanted offset on. */
  readonly messages: readonly RawMessage[];
  /** The offset to read from next: above everything that was read. */
  readonly next: number;
  /** The last stable offset. */
  readonly stableEnd: number;
  /** The wanted offset is above everything in the partition. */
  readonly isBeyondEnd: boolean;
  /** Set when the wanted offset is below this one, the first that is left. */
  readonly removedBelow?: number;
}

export interface FetchBounds {
  /** How long the brokers wait for records. */
  readonly waitMs: number;
  /** For all partitions together, compressed. */
  readonly bytesMax: number;
}

/** An election takes tens of milliseconds; a broker with a partition's only replica may be away for long. */
const movedFirstPauseMs = 20;
const movedLongestPauseMs = 200;

interface Connection {
  readonly link: Link;
  readonly ready: Promise<Cluster>;
}

export class Fetcher {
  readonly #servers: KafkaServers;
  readonly #topics: readonly string[];
  readonly #compacted: ReadonlySet<string>;
  #connection: Connection | undefined;
  #closed = false;

  /** `topics`: all that will ever be asked for. The compacted ones may hold batches without records. */
  constructor(servers: KafkaServers, topics: readonly string[], compacted: ReadonlySet<string>) {
    this.#servers = servers;
    this.#topics = topics;
    this.#compacted = compacted;
  }

  /**
   * The records that arrive within `waitMs`, by partition. At an offset above the end there are none; an offset below
   * the first one left continues there. Throws PortError `unavailable`.
   */
  async fetch(positions: readonly FetchPosition[], waitMs: number, bytesMax: number): Promise<readonly Fetched[]> {
    const fetched: Fetched[] = [];
    await this.fetchEach(positions, { waitMs, bytesMax }, (answers) => fetched.push(...answers));
    return fetched;
  }

  /** The same, but passes on each leader's answer as it arrives: records need not wait for a broker that has none. */
  async fetchEach(
    positions: readonly FetchPosition[],
    bounds: FetchBounds,
    onAnswers: (answers: readonly Fetched[]) => void,
  ): Promise<void> {
    let remaining = positions;
    let hasEnded = false;
    const fetchRemaining = async (cluster: Cluster): Promise<void> => {
      const byLeader = await groupByLeader(cluster, remaining);
      const fetches = [...byLeader].map(async ([nodeId, group]) => {
        const answers = await this.#fetchFrom(await brokerOf(cluster, nodeId), group, bounds);
        // The call has ended meanwhile: another fetch may cover these partitions again.
        if (hasEnded) return;
        remaining = remaining.filter((position) => !group.includes(position));
        onAnswers(answers);
      });
      const rejected = (await Promise.allSettled(fetches)).find((part) => part.status === 'rejected');
      if (rejected !== undefined) throw rejected.reason;
    };
    await this.#withConnection('reading', fetchRemaining, bounds.waitMs).finally(() => (hasEnded = true));
  }

  async offset(topic: string, partition: number, edge: Edge): Promise<number> {
    const topicPartition = { topic, partition };
    const operation = `the ${edge === 'first' ? 'beginning' : 'end'} of ${nameOf(topicPartition)}`;
    return this.#withConnection(operation, async (cluster) => {
      const offset = (await offsetsOf(cluster, [topicPartition], edge)).get(nameOf(topicPartition));
      if (offset === undefined || !(offset >= 0))
        throw new Error(`the broker gave no offset for ${nameOf(topicPartition)}`);
      return offset;
    });
  }

  /** The topics given to the constructor that are not on Kafka. Throws PortError `unavailable`. */
  async missingTopics(): Promise<readonly string[]> {
    return this.#withConnection('looking for topics', async (cluster) => {
      await cluster.refreshMetadata();
      return this.#topics.filter((topic) => !isKnownTopic(cluster, topic));
    });
  }

  /**
   * Deletes the records below the offset, up to the high watermark. Throws PortError `unavailable`, after which they
   * can still be deleted.
   */
  async deleteBelow({ topic, partition, offset }: FetchPosition): Promise<void> {
    await this.#withConnection(`deleting from ${nameOf({ topic, partition })}`, async (cluster) => {
      const broker = await brokerOf(cluster, leaderOf(cluster, topic, partition));
      await broker.deleteRecords({ topics: [{ topic, partitions: [{ partition, offset: String(offset) }] }] });
    });
  }

  close(): void {
    this.#closed = true;
    this.#dropConnection();
  }

  async #fetchFrom(broker: Broker, group: readonly FetchPosition[], bounds: FetchBounds): Promise<readonly Fetched[]> {
    try {
      const { responses } = await broker.fetch(fetchRequest(group, bounds));
      return responses.flatMap(({ topicName, partitions }) =>
        partitions.map((answer) => this.#fetchedOf(group, topicName, answer)),
      );
    } catch (error) {
      if (brokerErrorType(error) !== 'OFFSET_OUT_OF_RANGE') throw error;
      return Promise.all(group.map((position) => this.#resolveOutOfRange(position)));
    }
  }

  /** Drops the records before the wanted offset: the broker gives whole batches. */
  #fetchedOf(positions: readonly FetchPosition[], topic: string, answer: RawPartition): Fetched {
    const { partition, messages } = answer;
    const from =
      positions.find((position) => position.topic === topic && position.partition === partition)?.offset ?? 0;
    const stableEnd = Number(answer.lastStableOffset);
    const last = messages.at(-1);
    // When several partitions are asked for, a full answer may leave some of them out.
    const isEmptied = last === undefined && positions.length === 1 && from < stableEnd;
    if (isEmptied && !this.#compacted.has(topic)) throw missingRecordsError({ topic, partition }, from, stableEnd);
    const nextWhenEmptied = isEmptied ? from + 1 : from;
    return {
      topic,
      partition,
      messages: committedMessagesOf(messages, answer.abortedTransactions).filter(
        ({ offset }) => Number(offset) >= from,
      ),
      next: last === undefined ? nextWhenEmptied : Math.max(from, offsetAfter(last)),
      stableEnd,
      isBeyondEnd: false,
    };
  }

  /** The broker does not say which of the partitions is out of range, so each is checked. */
  async #resolveOutOfRange({ topic, partition, offset }: FetchPosition): Promise<Fetched> {
    const first = await this.offset(topic, partition, 'first');
    const stableEnd = await this.offset(topic, partition, 'stable');
    const next = Math.max(offset, first);
    const removed = first > offset ? { removedBelow: first } : {};
    return { topic, partition, messages: [], next, stableEnd, isBeyondEnd: offset > stableEnd, ...removed };
  }

  /** After a failure no connection is trusted. */
  async #withConnection<T>(operation: string, attempt: (cluster: Cluster) => Promise<T>, waitMs = 0): Promise<T> {
    if (this.#closed) throw new PortError('closed', 'the log was closed');
    const connection = (this.#connection ??= this.#connect());
    try {
      return await within(this.#retryMoved(connection, attempt), limits.readMs + waitMs, operation);
    } catch (error) {
      if (this.#closed) throw new PortError('closed', 'the log was closed', error);
      if (connection === this.#connection) this.#dropConnection();
      throw unavailableError(operation, error);
    }
  }

  /** Retries until its caller's time limit, as long as the only failure is that a partition has moved. */
  async #retryMoved<T>({ link, ready }: Connection, attempt: (cluster: Cluster) => Promise<T>): Promise<T> {
    const cluster = await ready;
    for (const backoff = new Backoff(movedFirstPauseMs, movedLongestPauseMs); ;) {
      try {
        return await attempt(cluster);
      } catch (error) {
        if (!hasLeaderMoved(error) || link.isSevered) throw error;
        await delay(backoff.next());
        await cluster.refreshMetadata();
      }
    }
  }

  #connect(): Connection {
    const link = new Link(this.#servers);
    const cluster = createCluster(link.kafka);
    const ready = cluster.connect().then(async () => {
      await cluster.addMultipleTargetTopics(this.#topics);
      return cluster;
    });
    return { link, ready };
  }

  #dropConnection(): void {
    this.#connection?.link.sever();
    this.#connection = undefined;
  }
}

async function groupByLeader(
  cluster: Cluster,
  positions: readonly FetchPosition[],
): Promise<ReadonlyMap<string, FetchPosition[]>> {
  await cluster.refreshMetadataIfNecessary();
  const groups = new Map<string, FetchPosition[]>();
  for (const position of positions) {
    const nodeId = leaderOf(cluster, position.topic, position.partition);
    const group = groups.get(nodeId);
    if (group === undefined) groups.set(nodeId, [position]);
    else group.push(position);
  }
  return groups;
}

function fetchRequest(positions: readonly FetchPosition[], { waitMs, bytesMax }: FetchBounds): FetchRequest {
  const topics = new Map<string, FetchPosition[]>();
  for (const position of positions) topics.set(position.topic, [...(topics.get(position.topic) ?? []), position]);
  return {
    replicaId: -1,
    isolationLevel: 1,
    maxWaitTime: waitMs,
    minBytes: 1,
    maxBytes: bytesMax,
    topics: [...topics].map(([topic, ones]) => ({
      topic,
      partitions: ones.map(({ partition, offset }) => ({
        partition,
        fetchOffset: String(offset),
        maxBytes: bytesMax,
        currentLeaderEpoch: -1,
        logStartOffset: -1,
      })),
    })),
  };
}

/** A leader that fetches old records from elsewhere returns none while they are late. Skipping them would lose them. */
const missingRecordsError = (topicPartition: TopicPartition, from: number, end: number): PortError =>
  new PortError(
    'unavailable',
    `the leader of ${nameOf(topicPartition)} gave nothing from ${from} on, though it ends at ${end}`,
  );
