// Where partitions begin and end, with or without records that are not committed yet.
import { brokerError, type Cluster } from '../private-api.ts';
import type { Broker } from '../kafka-protocol.ts';

/** One partition; its topic with the prefix. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** As in the protocol. `first`: the first offset left. `stable`: the last stable offset. `all`: the high watermark. */
const edges = {
  first: { timestamp: '-2', isolationLevel: 1 },
  stable: { timestamp: '-1', isolationLevel: 1 },
  all: { timestamp: '-1', isolationLevel: 0 },
} as const;

export type Edge = keyof typeof edges;

export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/** Offsets by `nameOf` the place; asks each leader once. Throws what kafkajs throws. */
export async function offsetsOf(
  cluster: Cluster,
  topicPartitions: readonly TopicPartition[],
  edge: Edge,
): Promise<ReadonlyMap<string, number>> {
  const { timestamp, isolationLevel } = edges[edge];
  const byLeader = Map.groupBy(topicPartitions, ({ topic, partition }) => leaderOf(cluster, topic, partition));
  const answers = [...byLeader].map(async ([nodeId, group]) => {
    const broker = await brokerOf(cluster, nodeId);
    const { responses } = await broker.listOffsets({
      replicaId: -1,
      isolationLevel,
      topics: [...Map.groupBy(group, ({ topic }) => topic)].map(([topic, own]) => ({
        topic,
        partitions: own.map(({ partition }) => ({ partition, timestamp })),
      })),
    });
    return responses.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset }) => [nameOf({ topic, partition }), Number(offset)] as const),
    );
  });
  return new Map((await Promise.all(answers)).flat());
}

const noLeader = '-1';
const unknownPartition = '';
const leaderNotAvailable = 5;
const unknownTopicOrPartition = 3;

/** The node id of the leader, for `brokerOf`. Special ids mean no leader, or an unknown partition. */
export function leaderOf(cluster: Cluster, topic: string, partition: number): string {
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  return nodeId ?? unknownPartition;
}

/** Whether the topic was there at the last look at the metadata. */
export const isKnownTopic = (cluster: Cluster, topic: string): boolean =>
  leaderOf(cluster, topic, 0) !== unknownPartition;

/** Throws `LEADER_NOT_AVAILABLE` or `UNKNOWN_TOPIC_OR_PARTITION`, as brokers do, where there is no leader. */
export async function brokerOf(cluster: Cluster, nodeId: string): Promise<Broker> {
  if (nodeId === noLeader) throw brokerError(leaderNotAvailable);
  if (nodeId === unknownPartition) throw brokerError(unknownTopicOrPartition);
  return cluster.findBroker({ nodeId });
}
