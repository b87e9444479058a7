// Creating the log's topics as flow.ts says, and refusing a log that was made with other settings.
import { setTimeout as delay } from 'node:timers/promises';
import type { Admin, ITopicConfig } from 'kafkajs';
import { partitionCount, partitionHash, topics, type TopicName } from '../../../domain/flow.ts';
import { PortError } from '../../../domain/port-error.ts';
import { Link } from '../client/link.ts';
import { unavailable } from '../client/trouble.ts';
import { within } from '../client/within.ts';
import { limits } from '../limits.ts';
import type { Names } from '../names.ts';
import type { KafkaServers } from '../servers.ts';

export interface Creation {
  readonly servers: KafkaServers;
  readonly names: Names;
  /** Common partition count of emitter topics. */
  readonly partitions: number;
  readonly replicationFactor: number;
  readonly minInsyncReplicas: number;
}

/** What is fixed when the log is created. */
export interface Fixed {
  readonly partitions: number;
  readonly partitionHash: string;
}

export const topicNames = Object.keys(topics) as readonly TopicName[];

const MiB = 1024 * 1024;
/** A gateway that waits for a reply has given up long before. */
const repliesKeptMs = 60_000;
/** Small segments are closed soon: only closed ones are compacted or deleted. */
const turnoverSegmentBytes = 16 * MiB;
/** Compaction begins when so much of a partition has been overwritten. */
const dirtyRatioMin = 0.3;
const pollMs = 50;

type Config = Readonly<Record<string, string | number>>;

const kept: Config = { 'cleanup.policy': 'delete', 'retention.ms': -1, 'retention.bytes': -1 };
const compacted: Config = {
  'cleanup.policy': 'compact',
  'min.cleanable.dirty.ratio': dirtyRatioMin,
  'segment.bytes': turnoverSegmentBytes,
};
const transient: Config = {
  'cleanup.policy': 'delete',
  'retention.ms': repliesKeptMs,
  'segment.ms': repliesKeptMs,
  'max.message.bytes': limits.replyMessageBytes,
  'segment.bytes': turnoverSegmentBytes,
};

/** Makes the topics that are missing; several processes may do so at once. Throws PortError `mismatch` or `unavailable`. */
export async function createTopics(creation: Creation): Promise<void> {
  const link = new Link(creation.servers);
  const admin = link.kafka.admin();
  const what = `creating topics on ${creation.servers.brokers.join(', ')}`;
  try {
    await within(limits.openMs, what, create(admin, wantedTopics(creation)));
  } catch (error) {
    throw unavailable(what, error);
  } finally {
    link.sever();
  }
}

function wantedTopics({ names, partitions, replicationFactor, minInsyncReplicas }: Creation): readonly ITopicConfig[] {
  const topicOf = (topic: string, numPartitions: number, config: Config): ITopicConfig => {
    const all: Config = {
      'min.insync.replicas': minInsyncReplicas,
      'max.message.bytes': limits.messageBytes,
      ...config,
    };
    const configEntries = Object.entries(all).map(([name, value]) => ({ name, value: String(value) }));
    return { topic, numPartitions, replicationFactor, configEntries };
  };
  return [
    ...topicNames.map((name) =>
      topicOf(names.topic(name), partitionCount(name, partitions), topics[name].compacted ? compacted : kept),
    ),
    topicOf(names.settings, 1, kept),
    topicOf(names.replies, 1, transient),
  ];
}

async function create(admin: Admin, wanted: readonly ITopicConfig[]): Promise<void> {
  await admin.connect();
  const there = new Set(await admin.listTopics());
  const missing = wanted.filter(({ topic }) => !there.has(topic));
  if (missing.length > 0) await admin.createTopics({ topics: [...missing], waitForLeaders: false });
  await untilLed(admin, wanted);
}

/** `waitForLeaders` of kafkajs throws for topics that were just made and are not known everywhere yet. */
async function untilLed(admin: Admin, wanted: readonly ITopicConfig[]): Promise<void> {
  for (;;) {
    const known = await partitionsWithLeader(
      admin,
      wanted.map(({ topic }) => topic),
    );
    const waiting = wanted.filter(({ topic, numPartitions = 1 }) => {
      const found = known?.get(topic);
      if (found !== undefined && found.count > 0 && found.count !== numPartitions)
        throw new PortError(
          'mismatch',
          `topic ${topic} has ${found.count} partitions and the configuration asks for ${numPartitions}: ` +
            'the partition count is fixed when the log is created; configure that one',
        );
      return found === undefined || found.led < numPartitions;
    });
    if (known !== undefined && waiting.length === 0) return;
    await delay(pollMs);
  }
}

type Led = ReadonlyMap<string, { readonly count: number; readonly led: number }>;

async function partitionsWithLeader(admin: Admin, names: string[]): Promise<Led | undefined> {
  try {
    const { topics: found } = await admin.fetchTopicMetadata({ topics: names });
    return new Map(
      found.map(({ name, partitions }) => [
        name,
        { count: partitions.length, led: partitions.filter(({ leader }) => leader >= 0).length },
      ]),
    );
  } catch {
    return undefined;
  }
}

/** What this process was configured with. */
export const fixedBy = ({ partitions }: Pick<Creation, 'partitions'>): Fixed => ({ partitions, partitionHash });

/** Throws PortError `mismatch`. */
export function checkFixed(stored: Fixed, configured: Fixed, where: string): void {
  for (const name of ['partitions', 'partitionHash'] as const)
    if (stored[name] !== configured[name])
      throw new PortError(
        'mismatch',
        `the log in ${where} was created with ${name} ${stored[name]}, and here it is ${configured[name]}: ` +
          'it is fixed when the log is created; configure that one',
      );
}
