// Who may append where: the rules of flow.ts, which every adapter checks before it writes anything.
import {
  flow,
  partitionCount,
  expiringTopics,
  topics,
  type OwningStage,
  type ExpiringTopic,
  type RequestTopic,
  type StageName,
  type TopicName,
} from '../../domain/flow.ts';
import type { Outgoing } from '../log.ts';

/** The compacted topic that holds a stage's marks. */
export const marksTopic = (stage: OwningStage): `marks.${OwningStage}` => `marks.${stage}`;

/** The topics that each stage may append to, without its marks, which only the log itself appends. */
const allowedTopics: ReadonlyMap<StageName, ReadonlySet<TopicName>> = new Map(
  (Object.keys(flow) as StageName[]).map((stage) => {
    const { writes, requests } = flow[stage];
    return [stage, new Set([...writes, ...requests].filter((topic: TopicName) => !topic.startsWith('marks.')))];
  }),
);

/** Throws a plain Error when the owner may not append one of these records. */
export function checkWriterMayAppend(
  owner: { readonly stage: OwningStage; readonly partition: number; readonly partitions: number },
  records: readonly Outgoing[],
): void {
  const { owns } = flow[owner.stage];
  const allowed = allowedTopics.get(owner.stage);
  let previous: Outgoing | undefined;
  for (const record of records) {
    const { topic, partition } = record;
    // Neighbours of one partition are checked once: a run can emit ten thousand events.
    if (topic === previous?.topic && partition === previous.partition) continue;
    previous = record;
    if (allowed?.has(topic) !== true)
      throw new Error(`${owner.stage} may not append to '${topic}': flow.ts names who does`);
    checkPartition(topic, partition, owner.partitions);
    const { partitions, writer } = topics[topic];
    // Requests can go to any partition: a source may listen to a source of another partition.
    const own = owns === 'emitter' && partitions === 'emitter' && writer !== 'many';
    if (own && partition !== owner.partition)
      throw new Error(`${owner.stage} owns partition ${owner.partition} and may not append to ${topic}/${partition}`);
  }
}

export interface LogPartition {
  readonly topic: TopicName;
  readonly partition: number;
}

/** The partitions that an owner may append to, including that of its mark. */
export interface WriteScope {
  /** Partitions that no other owner appends to. */
  readonly own: readonly LogPartition[];
  readonly shared: readonly LogPartition[];
}

export function writeScopeOf(stage: StageName, partition: number, partitions: number): WriteScope {
  const { writes, requests, owns } = flow[stage];
  const allPartitionsOf = (topic: TopicName): readonly LogPartition[] =>
    Array.from({ length: partitionCount(topic, partitions) }, (_, number) => ({ topic, partition: number }));
  const own = writes.flatMap((topic) =>
    owns === 'emitter' && topics[topic].partitions !== 'one' ? [{ topic, partition }] : allPartitionsOf(topic),
  );
  return { own, shared: requests.flatMap(allPartitionsOf) };
}

/** Throws a plain Error unless the topic is a request topic. */
export function checkRequest({ topic, partition }: Outgoing<RequestTopic>, partitions: number): void {
  if (topics[topic]?.writer !== 'many') throw new Error(`'${topic}' takes no requests: only its stage appends there`);
  checkPartition(topic, partition, partitions);
}

/** Throws a plain Error for a topic that is kept forever or compacted. */
export function checkTrim(topic: ExpiringTopic, partition: number, partitions: number): void {
  if (!expiringTopics.includes(topic)) throw new Error(`'${String(topic)}' is not trimmed: what it holds is kept`);
  checkPartition(topic, partition, partitions);
}

/** Throws a plain Error for a partition that the topic does not have. */
export function checkPartition(topic: TopicName, partition: number, partitions: number): void {
  if (topics[topic] === undefined) throw new Error(`there is no topic '${String(topic)}'`);
  const count = partitionCount(topic, partitions);
  if (!Number.isInteger(partition) || partition < 0 || partition >= count)
    throw new Error(`${topic} has ${count} partitions and none numbered ${partition}`);
}
