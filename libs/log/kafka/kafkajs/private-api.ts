// Gives access to the private parts of kafkajs 2.2.4 that are used. Its spec fails when one of these sources changes.
import { createRequire } from 'node:module';
import type { Kafka } from 'kafkajs';
import type { Broker } from './kafka-protocol.ts';

const require = createRequire(import.meta.url);

/** The private sources, which the spec compares by their hash. */
export const sourcesUsed = [
  'src/index.js',
  'src/cluster/index.js',
  'src/cluster/brokerPool.js',
  'src/broker/index.js',
  'src/network/connection.js',
  'src/network/connectionStatus.js',
  'src/network/connectionPool.js',
  'src/retry/index.js',
  'src/cluster/connectionPoolBuilder.js',
  'src/network/requestQueue/index.js',
  'src/errors.js',
  'src/protocol/error.js',
  'src/protocol/request.js',
  'src/protocol/requests/fetch/v11/response.js',
  'src/protocol/requests/metadata/v0/response.js',
  'src/protocol/requests/metadata/v5/response.js',
  'src/protocol/requests/metadata/v6/response.js',
  'src/protocol/requests/joinGroup/v5/response.js',
  'src/protocol/requests/syncGroup/v3/response.js',
  'src/protocol/requests/initProducerId/v1/response.js',
  'src/protocol/requests/addPartitionsToTxn/v1/response.js',
  'src/protocol/requests/endTxn/v1/response.js',
  'src/protocol/requests/listOffsets/v2/response.js',
  'src/protocol/requests/listOffsets/v3/response.js',
  'src/protocol/requests/deleteRecords/v0/response.js',
  'src/protocol/requests/produce/v3/request.js',
  'src/protocol/encoder.js',
  'src/protocol/recordBatch/v0/index.js',
  'src/protocol/recordBatch/record/v0/index.js',
  'src/protocol/recordBatch/v0/decoder.js',
  'src/protocol/recordBatch/record/v0/decoder.js',
] as const;

export interface Cluster {
  connect(): Promise<void>;
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  refreshMetadata(): Promise<void>;
  refreshMetadataIfNecessary(): Promise<void>;
  /** Partitions by the node id of their leader. */
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Readonly<Record<string, readonly number[]>>;
  findBroker(node: { readonly nodeId: string }): Promise<Broker>;
  /** The coordinator of a group, or of a transactional id. */
  findGroupCoordinator(of: { readonly groupId: string; readonly coordinatorType?: 0 | 1 }): Promise<Broker>;
  /** Any live broker: since KRaft, clients are not told which broker is the controller. */
  findControllerBroker(): Promise<Broker>;
  /** For a broker whose connection was closed: it is connected again when metadata names it. */
  removeBroker(address: { readonly host: string; readonly port: number }): void;
  isConnected(): boolean;
}

/** The error that kafkajs itself throws for a broker's error code. */
export function brokerError(code: number): Error {
  const { createErrorFromCode } = require('kafkajs/src/protocol/error') as { createErrorFromCode(of: number): Error };
  return createErrorFromCode(code);
}

interface ClusterSettings {
  readonly metadataMaxAge: number;
  readonly allowAutoTopicCreation: boolean;
  readonly maxInFlightRequests: number | null;
}

/** Leaders seldom move, and a former leader answers with an error that leads to fresh metadata. */
const metadataMaxAgeMs = 300_000;

type CreateCluster = (settings: ClusterSettings) => Cluster;

function createClusterKey(kafka: object): symbol {
  const key = Object.getOwnPropertySymbols(kafka).find((symbol) => symbol.description?.endsWith(':createCluster'));
  if (key === undefined) throw new Error('this is not the kafkajs that was built against: createCluster is missing');
  return key;
}

/** The connections and the metadata beneath every kafkajs client: enough to read without a consumer group. */
export function createCluster(kafka: Kafka): Cluster {
  const create = (kafka as unknown as Record<symbol, CreateCluster>)[createClusterKey(kafka)];
  if (create === undefined) throw new Error('this is not the kafkajs that was built against: createCluster is empty');
  return create({ metadataMaxAge: metadataMaxAgeMs, allowAutoTopicCreation: false, maxInFlightRequests: null });
}
