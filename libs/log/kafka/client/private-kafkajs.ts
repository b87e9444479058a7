// Everything that is private to kafkajs 2.2.4 and used here. Its spec fails when one of these sources changes.
import { createRequire } from 'node:module';
import type { Kafka } from 'kafkajs';
import { encodeRecord, type ProtocolRecord } from '../encoding/record-encoding.ts';

const require = createRequire(import.meta.url);

/** The sources below, which the spec compares by their hash. */
export const sourcesUsed = [
  'src/index.js',
  'src/cluster/index.js',
  'src/cluster/brokerPool.js',
  'src/broker/index.js',
  'src/network/connection.js',
  'src/network/connectionPool.js',
  'src/network/requestQueue/index.js',
  'src/errors.js',
  'src/protocol/error.js',
  'src/protocol/request.js',
  'src/protocol/requests/fetch/v11/response.js',
  'src/protocol/requests/listOffsets/v2/response.js',
  'src/protocol/requests/listOffsets/v3/response.js',
  'src/protocol/requests/produce/v3/request.js',
  'src/protocol/encoder.js',
  'src/protocol/recordBatch/v0/index.js',
  'src/protocol/recordBatch/record/v0/index.js',
  'src/protocol/recordBatch/v0/decoder.js',
  'src/protocol/recordBatch/record/v0/decoder.js',
] as const;

/** A record as the fetch protocol decodes it, control records and aborted ones included. */
export interface RawMessage {
  readonly offset: string;
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, Buffer | readonly Buffer[] | undefined>>;
  readonly isControlRecord: boolean;
  readonly batchContext: {
    readonly firstOffset: string;
    readonly lastOffsetDelta: number;
    readonly producerId: string;
    readonly inTransaction: boolean;
  };
}

export interface AbortedTransaction {
  readonly producerId: string;
  readonly firstOffset: string;
}

export interface RawPartition {
  readonly partition: number;
  readonly lastStableOffset: string;
  readonly abortedTransactions: readonly AbortedTransaction[] | null;
  readonly messages: readonly RawMessage[];
}

type ByTopic<T> = readonly { readonly topic: string; readonly partitions: readonly T[] }[];

export interface FetchRequest {
  readonly replicaId: -1;
  /** 1: up to the last stable offset, with the list of aborted transactions. */
  readonly isolationLevel: 1;
  readonly maxWaitTime: number;
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly topics: ByTopic<{
    readonly partition: number;
    readonly fetchOffset: string;
    readonly maxBytes: number;
    readonly currentLeaderEpoch: -1;
    readonly logStartOffset: -1;
  }>;
}

export interface GroupMember {
  readonly memberId: string;
  readonly memberMetadata: Buffer;
}

/** Records of one partition that are produced together. */
export interface ProducedPartition {
  readonly partition: number;
  /** Of its first record: by it the leader knows what it has appended already. */
  readonly firstSequence: number;
  readonly messages: readonly {
    readonly key: string;
    readonly value: string;
    readonly headers: Readonly<Record<string, string>>;
    /** Epoch milliseconds. */
    readonly timestamp: string;
  }[];
}

export interface ProducerIdentity {
  readonly producerId: string;
  readonly producerEpoch: number;
}

export interface Broker {
  produce(
    request: ProducerIdentity & {
      readonly transactionalId: string | undefined;
      readonly acks: -1;
      /** For the copies, in milliseconds. */
      readonly timeout: number;
      readonly compression: number;
      readonly topicData: ByTopic<ProducedPartition>;
    },
  ): Promise<{
    readonly topics: readonly {
      readonly topicName: string;
      readonly partitions: readonly { readonly partition: number; readonly baseOffset: string }[];
    }[];
  }>;
  initProducerId(request: {
    readonly transactionalId: string | undefined;
    readonly transactionTimeout: number;
  }): Promise<ProducerIdentity>;
  addPartitionsToTxn(
    request: ProducerIdentity & {
      readonly transactionalId: string;
      readonly topics: ByTopic<number>;
    },
  ): Promise<unknown>;
  endTxn(
    request: ProducerIdentity & { readonly transactionalId: string; readonly transactionResult: boolean },
  ): Promise<unknown>;
  joinGroup(request: {
    readonly groupId: string;
    readonly sessionTimeout: number;
    readonly rebalanceTimeout: number;
    readonly memberId: string;
    readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[];
  }): Promise<{
    readonly generationId: number;
    readonly memberId: string;
    readonly leaderId: string;
    /** Told to the leader only. */
    readonly members: readonly GroupMember[];
  }>;
  syncGroup(request: {
    readonly groupId: string;
    readonly generationId: number;
    readonly memberId: string;
    readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[];
  }): Promise<{ readonly memberAssignment: Buffer }>;
  heartbeat(request: {
    readonly groupId: string;
    readonly groupGenerationId: number;
    readonly memberId: string;
  }): Promise<unknown>;
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>;
  fetch(request: FetchRequest): Promise<{
    readonly responses: readonly { readonly topicName: string; readonly partitions: readonly RawPartition[] }[];
  }>;
  listOffsets(request: {
    readonly replicaId: -1;
    /** 0: up to what all replicas have, decided or not. 1: up to the last stable offset. */
    readonly isolationLevel: 0 | 1;
    readonly topics: ByTopic<{ readonly partition: number; readonly timestamp: string }>;
  }): Promise<{ readonly responses: ByTopic<{ readonly partition: number; readonly offset: string }> }>;
  readonly connectionPool: { send<T>(exchange: Exchange<T>): Promise<T> };
}

/** A request that kafkajs has no words for, and what is made of its answer. */
export interface Exchange<T> {
  readonly request: {
    readonly apiKey: number;
    readonly apiVersion: number;
    readonly apiName: string;
    readonly encode: () => Promise<Encoded>;
  };
  readonly response: {
    readonly decode: (answer: Buffer) => T;
    readonly parse: (decoded: T) => T;
  };
}

export interface Cluster {
  connect(): Promise<void>;
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  refreshMetadata(): Promise<void>;
  refreshMetadataIfNecessary(): Promise<void>;
  /** Partitions by the node id of their leader. */
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Readonly<Record<string, readonly number[]>>;
  findBroker(node: { readonly nodeId: string }): Promise<Broker>;
  /** Of a group, or of a transactional id. */
  findGroupCoordinator(of: { readonly groupId: string; readonly coordinatorType?: 0 | 1 }): Promise<Broker>;
  /** Any broker that is there: since KRaft the real controllers are not told. */
  findControllerBroker(): Promise<Broker>;
  /** A connection of it was closed: it is made anew when metadata names it again. */
  removeBroker(address: { readonly host: string; readonly port: number }): void;
  isConnected(): boolean;
}

/** What kafkajs takes of an encoder. */
export interface Encoded {
  readonly buf: Buffer;
  readonly buffer: Buffer;
}

/** As kafkajs itself throws what a broker answers. */
export function brokerError(code: number): Error {
  const { createErrorFromCode } = require('kafkajs/src/protocol/error') as { createErrorFromCode(of: number): Error };
  return createErrorFromCode(code);
}

interface ClusterSettings {
  readonly metadataMaxAge: number;
  readonly allowAutoTopicCreation: boolean;
  readonly maxInFlightRequests: number | null;
}

/** Leaders move seldom, and a stale one answers with an error that leads to a new cluster object. */
const metadataMaxAgeMs = 300_000;

type CreateCluster = (settings: ClusterSettings) => Cluster;

function createClusterKey(kafka: object): symbol {
  const key = Object.getOwnPropertySymbols(kafka).find((symbol) => symbol.description?.endsWith(':createCluster'));
  if (key === undefined) throw new Error('this is not the kafkajs that was built against: createCluster is missing');
  return key;
}

/** The connections and the metadata beneath every client of kafkajs: what reading without a consumer group needs. */
export function createCluster(kafka: Kafka): Cluster {
  const create = (kafka as unknown as Record<symbol, CreateCluster>)[createClusterKey(kafka)];
  if (create === undefined) throw new Error('this is not the kafkajs that was built against: createCluster is empty');
  return create({ metadataMaxAge: metadataMaxAgeMs, allowAutoTopicCreation: false, maxInFlightRequests: null });
}

interface RequestQueue {
  readonly throttledUntil: number;
  readonly pending: readonly unknown[];
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
}

const pendingCheckMs = 10;

/**
 * kafkajs sets a timer with a negative time on every idle connection, over and over (its pull request 1751): Node 24 warns
 * at each, and each costs a turn of the event loop every millisecond. Nothing pending and no throttle needs no timer.
 */
export function calmRequestQueues(): void {
  const { prototype } = require('kafkajs/src/network/requestQueue') as {
    prototype: { scheduleCheckPendingRequests(this: RequestQueue): void };
  };
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    const waitMs = this.throttledUntil - Date.now();
    if (this.throttleCheckTimeoutId !== null || (this.pending.length === 0 && waitMs <= 0)) return;
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      waitMs > 0 ? waitMs : pendingCheckMs,
    );
  };
}

/** Puts our encoding of records in the place of theirs, which the first produce request loads. */
export function encodeRecordsAtOnce(): void {
  const path = require.resolve('kafkajs/src/protocol/recordBatch/record/v0');
  require(path);
  const loaded = require.cache[path];
  if (loaded === undefined) throw new Error('this is not the kafkajs that was built against: records have no encoding');
  loaded.exports = (record: ProtocolRecord): Encoded => {
    const buffer = encodeRecord(record);
    return { buf: buffer, buffer };
  };
}

interface Connecting {
  connect(): Promise<true>;
}

/**
 * Two requests that find a connection not there yet open a socket each, of which kafkajs forgets one; when that is closed
 * as idle, it takes the other for closed too.
 */
export function connectOnceAtATime(): void {
  const { prototype } = require('kafkajs/src/network/connection') as { prototype: Connecting };
  const connect = prototype.connect;
  const under = new WeakMap<Connecting, Promise<true>>();
  prototype.connect = function (this: Connecting): Promise<true> {
    const known = under.get(this);
    if (known !== undefined) return known;
    const connecting = connect.call(this).finally(() => under.delete(this));
    under.set(this, connecting);
    return connecting;
  };
}
