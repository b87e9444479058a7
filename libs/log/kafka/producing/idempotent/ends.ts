// Where partitions end: for readers of what is committed, and with what is not decided yet.
import type { Cluster } from '../../client/private-kafkajs.ts';

/** One partition; its topic with the prefix. */
export interface Place {
  readonly topic: string;
  readonly partition: number;
}

/** `stable`: the last stable offset. `all`: the high watermark. */
const isolationLevels = { all: 0, stable: 1 } as const;
const end = '-1';

export const nameOf = ({ topic, partition }: Place): string => `${topic}/${partition}`;

/** By the name of the place; asks each leader once. Throws what kafkajs throws. */
export async function endsOf(
  cluster: Cluster,
  places: readonly Place[],
  of: keyof typeof isolationLevels,
): Promise<ReadonlyMap<string, number>> {
  const byLeader = Map.groupBy(places, ({ topic, partition }) => leaderOf(cluster, topic, partition));
  const answers = [...byLeader].map(async ([nodeId, group]) => {
    const broker = await cluster.findBroker({ nodeId });
    const { responses } = await broker.listOffsets({
      replicaId: -1,
      isolationLevel: isolationLevels[of],
      topics: [...Map.groupBy(group, ({ topic }) => topic)].map(([topic, own]) => ({
        topic,
        partitions: own.map(({ partition }) => ({ partition, timestamp: end })),
      })),
    });
    return responses.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset }) => [nameOf({ topic, partition }), Number(offset)] as const),
    );
  });
  return new Map((await Promise.all(answers)).flat());
}

/** '-1', which no broker has, when it has none now. */
export function leaderOf(cluster: Cluster, topic: string, partition: number): string {
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  return nodeId ?? '-1';
}
