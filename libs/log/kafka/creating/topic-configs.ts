// Lists the topics of the log, from flow.ts, with their partitions, replicas and retention.
import type { ITopicConfig } from 'kafkajs';
import { partitionCount, topicNames, topics } from '../../../domain/flow.ts';
import { limits } from '../kafka-limits.ts';
import type { KafkaNames } from '../kafka-names.ts';

export interface TopicSettings {
  readonly names: KafkaNames;
  /** Common partition count of partitioned topics. */
  readonly partitions: number;
  readonly replicationFactor: number;
  readonly minInsyncReplicas: number;
}

const MiB = 1024 * 1024;
/** A gateway stops waiting for a reply long before this time. */
const repliesKeptMs = 60_000;
/** Small segments are closed soon: only closed ones are compacted or deleted. */
const turnoverSegmentBytes = 16 * MiB;
/** Compaction begins when this share of a partition has been overwritten. */
const dirtyRatioMin = 0.3;

type Config = Readonly<Record<string, string | number>>;

const retainedConfig: Config = { 'cleanup.policy': 'delete', 'retention.ms': -1, 'retention.bytes': -1 };
const compactedConfig: Config = {
  'cleanup.policy': 'compact',
  'min.cleanable.dirty.ratio': dirtyRatioMin,
  'segment.bytes': turnoverSegmentBytes,
};
const transientConfig: Config = {
  'cleanup.policy': 'delete',
  'retention.ms': repliesKeptMs,
  'segment.ms': repliesKeptMs,
  'max.message.bytes': limits.replyMessageBytes,
  'segment.bytes': turnoverSegmentBytes,
};

/** All topics of the log. */
export function topicConfigs({
  names,
  partitions,
  replicationFactor,
  minInsyncReplicas,
}: TopicSettings): readonly ITopicConfig[] {
  const topicConfigOf = (topic: string, numPartitions: number, config: Config): ITopicConfig => {
    const entries: Config = {
      'min.insync.replicas': minInsyncReplicas,
      'max.message.bytes': limits.messageBytes,
      ...config,
    };
    const configEntries = Object.entries(entries).map(([name, value]) => ({ name, value: String(value) }));
    return { topic, numPartitions, replicationFactor, configEntries };
  };
  return [
    ...topicNames.map((name) =>
      topicConfigOf(
        names.topic(name),
        partitionCount(name, partitions),
        topics[name].compacted ? compactedConfig : retainedConfig,
      ),
    ),
    topicConfigOf(names.settings, 1, retainedConfig),
    topicConfigOf(names.replies, 1, transientConfig),
  ];
}
