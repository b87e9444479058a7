// The log on Apache Kafka, for the engine in which each stage runs as any number of processes.
import {
  topicNames,
  topics as topicsOfFlow,
  type OwningStage,
  type ExpiringTopic,
  type RequestTopic,
  type TopicName,
} from '../../domain/flow.ts';
import { PortError } from '../../domain/port-error.ts';
import { checkPartition, checkRequest, checkTrim, marksTopic } from '../appending/access.ts';
import { encodeOne } from '../appending/encoding.ts';
import { Log, type Outgoing, type Page, type PageBounds, type Position, type Reply } from '../log.ts';
import type { Tail, Writer } from '../log.ts';
import { OwnedWriter } from '../appending/owned-writer.ts';
import { outboundOf, recordOf } from './encoding/cloud-event.ts';
import { KafkaReplies } from './kafka-replies.ts';
import { MonotonicReads } from './reading/ranges/monotonic-reads.ts';
import { KafkaNames } from './kafka-names.ts';
import { ReplySender } from './producing/reply-sender.ts';
import { RequestLane } from './producing/request-lane.ts';
import type { ProducerSettings } from './kafkajs/producer/idempotent-producer.ts';
import { KnownOutcomes } from './kafkajs/producer/known-outcomes.ts';
import { WriterLane, type LaneLog } from './producing/writer-lane.ts';
import { Fetcher } from './reading/fetcher.ts';
import type { RemovedRange } from './reading/follower.ts';
import { KafkaTail } from './reading/kafka-tail.ts';
import { Marks } from './reading/ranges/marks.ts';
import { PartitionReader } from './reading/ranges/partition-reader.ts';
import { PollerPool } from './reading/poller-pool.ts';
import type { KafkaServers } from './servers.ts';
import { deletedTopicsMessage, readListedTopics, listTopics } from './creating/listed-topics.ts';
import { fixedSettingsOf, ensureSettings } from './creating/settings-record.ts';
import { createTopics } from './creating/topics.ts';

export interface KafkaLogSettings extends Omit<KafkaServers, 'clientId'> {
  /** Common partition count of partitioned topics; fixed when the log is created. */
  readonly partitions: number;
  /** For topics that this process creates. */
  readonly replicationFactor: number;
  readonly minInsyncReplicas: number;
  /** The prefix of every topic, group and transactional id; several logs can share a cluster. */
  readonly topicPrefix?: string;
  /** A digest of the master key: `open` refuses another one than at the log's creation. Absent: not checked. */
  readonly masterKeyCheck?: string;
  /** Names this process among all that use the log. */
  readonly instanceId: string;
  /** Called when records were removed from outside before a tail has read them. Without it nothing reports that. */
  readonly onRemoved?: (removed: RemovedRange<TopicName>) => void;
}

interface Clients {
  readonly fetcher: Fetcher;
  /** Looks for deleted topics. On its own connection: a look that times out would end all reads on a shared one. */
  readonly looker: Fetcher;
  readonly pollers: PollerPool;
  readonly requests: RequestLane;
  readonly replies: KafkaReplies;
  readonly replySender: ReplySender;
}

export class KafkaLog extends Log {
  readonly partitions: number;
  /** Identifies this log among all logs, including earlier ones that had the same topics. */
  readonly id: string;
  readonly #names: KafkaNames;
  readonly #clients: Clients;
  readonly #onRemoved: NonNullable<KafkaLogSettings['onRemoved']>;
  readonly #reader: PartitionReader;
  readonly #reads: MonotonicReads;
  readonly #laneLog: LaneLog;
  readonly #lanes = new Map<string, WriterLane>();
  readonly #tails = new Set<KafkaTail>();
  #closing: Promise<void> | undefined;

  private constructor(
    { id, partitions, onRemoved }: Pick<KafkaLog, 'id' | 'partitions'> & Pick<KafkaLogSettings, 'onRemoved'>,
    { servers, topics }: ProducerSettings,
    names: KafkaNames,
    clients: Clients,
  ) {
    super();
    this.id = id;
    this.partitions = partitions;
    this.#names = names;
    this.#clients = clients;
    this.#onRemoved = onRemoved ?? ((): void => {});
    this.#reader = new PartitionReader(clients.fetcher);
    this.#reads = new MonotonicReads(this.#reader);
    const marks = new Marks({ reader: this.#reader, reads: this.#reads, names, partitions });
    this.#laneLog = {
      servers,
      topics,
      outcomes: new KnownOutcomes(),
      names,
      partitions,
      marks,
      onAcknowledged: (rows, offsets) => this.#reads.recordAppended(rows, offsets),
      checkOpen: () => this.#checkOpen(),
    };
  }

  /** Creates the topics that are missing. Throws PortError `mismatch`, `corrupt` or `unavailable`. */
  static async open(settings: KafkaLogSettings): Promise<KafkaLog> {
    const { partitions, replicationFactor, minInsyncReplicas, instanceId, onRemoved } = settings;
    const servers: KafkaServers = { ...settings, clientId: `wellspring-${instanceId}` };
    const names = new KafkaNames(settings.topicPrefix ?? '');
    const readListed = (): Promise<ReadonlySet<string>> => readPreviousTopics(servers, names);
    await createTopics(servers, { names, partitions, replicationFactor, minInsyncReplicas }, readListed);
    const topics = [...topicNames.map((name) => names.topic(name)), names.settings, names.replies];
    const compacted = new Set(
      topicNames.filter((name) => topicsOfFlow[name].compacted).map((name) => names.topic(name)),
    );
    const fetcher = new Fetcher(servers, topics, compacted);
    const requests = new RequestLane({ servers, topics });
    try {
      const reader = new PartitionReader(fetcher);
      const id = await ensureSettings(names.settings, fixedSettingsOf(settings), { reader, lane: requests });
      const logTopics = topicNames.map((name) => names.topic(name));
      await listTopics(names.settings, logTopics, { reader, lane: requests });
      const end = (): Promise<number> => reader.end(names.replies, 0);
      const from = await end();
      const pollers = new PollerPool(() => new Fetcher(servers, topics, compacted));
      const replySender = new ReplySender(servers, names.replies);
      const replies = new KafkaReplies({ topic: names.replies, from, end, sender: replySender, pollers });
      const looker = new Fetcher(servers, logTopics, compacted);
      const clients = { fetcher, looker, pollers, requests, replies, replySender };
      return new KafkaLog({ id, partitions, ...(onRemoved && { onRemoved }) }, { servers, topics }, names, clients);
    } catch (error) {
      fetcher.close();
      await requests.close();
      throw error;
    }
  }

  /** An error text that names the topics that were deleted; undefined if none were. Throws PortError `unavailable`. */
  async deletedTopicsError(): Promise<string | undefined> {
    const deletedTopics = await this.#clients.looker.missingTopics();
    return deletedTopics.length === 0 ? undefined : deletedTopicsMessage(deletedTopics);
  }

  async own(stage: OwningStage, partition: number): Promise<Writer> {
    this.#checkOpen();
    checkPartition(marksTopic(stage), partition, this.partitions);
    const lane = new WriterLane(this.#laneLog, stage, partition);
    try {
      const mark = await lane.takeOver();
      this.#checkOpen();
      const name = this.#names.transactionalId(stage, partition);
      this.#lanes.get(name)?.supersede();
      this.#lanes.set(name, lane);
      return new OwnedWriter(stage, partition, mark, lane);
    } catch (error) {
      await lane.close();
      throw error;
    }
  }

  async request(request: Outgoing<RequestTopic>): Promise<number> {
    this.#checkOpen();
    checkRequest(request, this.partitions);
    const row = outboundOf(encodeOne(request), this.#names.topic(request.topic));
    const offset = await this.#clients.requests.submit(row);
    this.#reads.recordAppended([row], [offset]);
    return offset;
  }

  async read(topic: TopicName, partition: number, from: number, bounds: PageBounds): Promise<Page> {
    this.#checkOpen();
    checkPartition(topic, partition, this.partitions);
    const { messages, next } = await this.#reads.page(this.#names.topic(topic), partition, from, bounds);
    return { topic, partition, records: messages.map((message) => recordOf(message, topic, partition)), next };
  }

  tail(from: readonly Position[], bounds: PageBounds): Tail {
    this.#checkOpen();
    for (const { topic, partition } of from) checkPartition(topic, partition, this.partitions);
    const onClose = (tail: KafkaTail): void => void this.#tails.delete(tail);
    const reached = (topic: string, partition: number, next: number): void =>
      this.#reads.raiseKnownEnd(topic, partition, next);
    const { pollers } = this.#clients;
    const onRemoved = this.#onRemoved;
    const tail = new KafkaTail({ names: this.#names, pollers, from, bounds, reached, onRemoved, onClose });
    this.#tails.add(tail);
    return tail;
  }

  async end(topic: TopicName, partition: number): Promise<number> {
    this.#checkOpen();
    checkPartition(topic, partition, this.partitions);
    return this.#reads.end(this.#names.topic(topic), partition);
  }

  async settledEnd(topic: TopicName, partition: number): Promise<number> {
    this.#checkOpen();
    checkPartition(topic, partition, this.partitions);
    return this.#reads.settledEnd(this.#names.topic(topic), partition);
  }

  async trim(topic: ExpiringTopic, partition: number, below: number): Promise<void> {
    this.#checkOpen();
    checkTrim(topic, partition, this.partitions);
    const upTo = Math.min(below, await this.end(topic, partition));
    await this.#reader.deleteBelow(this.#names.topic(topic), partition, upTo);
  }

  reply(gateway: string, reply: Reply): void {
    this.#clients.replies.send(gateway, reply);
  }

  onReply(gateway: string, receive: (reply: Reply) => void): () => void {
    this.#checkOpen();
    return this.#clients.replies.on(gateway, receive);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { fetcher, looker, pollers, requests, replies, replySender } = this.#clients;
    replies.close();
    await Promise.all([...this.#tails].map((tail) => tail.close()));
    await Promise.all([...this.#lanes.values(), requests, replySender].map((sender) => sender.close()));
    pollers.close();
    looker.close();
    fetcher.close();
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new PortError('closed', 'the log was closed');
  }
}

/** Reads them with a client that knows only the topic of settings, since other topics may be missing. */
async function readPreviousTopics(servers: KafkaServers, { settings }: KafkaNames): Promise<ReadonlySet<string>> {
  const fetcher = new Fetcher(servers, [settings], new Set());
  try {
    return await readListedTopics(settings, new PartitionReader(fetcher));
  } finally {
    fetcher.close();
  }
}
