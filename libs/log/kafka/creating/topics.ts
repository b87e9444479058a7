// Creates the log's topics from flow.ts, and refuses existing ones whose settings would lose records.
import { setTimeout as delay } from 'node:timers/promises';
import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';
import { topicNames, topics } from '../../../domain/flow.ts';
import { PortError } from '../../../domain/port-error.ts';
import { within } from '../../../primitives/time-limit.ts';
import { Link } from '../kafkajs/client/link.ts';
import { brokerErrorType, unavailableError } from '../kafkajs/client/kafka-errors.ts';
import { limits } from '../kafka-limits.ts';
import type { KafkaServers } from '../servers.ts';
import { deletedTopicsMessage } from './listed-topics.ts';
import { topicCreationError } from './topic-creation-error.ts';
import { topicConfigs, type TopicSettings } from './topic-configs.ts';

const pollMs = 50;
/** How long a listed topic may be missing before it counts as deleted: brokers learn of a new one one by one. */
const metadataLagMaxMs = 5_000;

/**
 * `listed`: the topics that the log has had, with their prefix. Creates missing topics, unless they were deleted; several
 * processes may do so at once. Throws PortError `corrupt`, `mismatch` or `unavailable`.
 */
export async function createTopics(
  servers: KafkaServers,
  settings: TopicSettings,
  listed: () => Promise<ReadonlySet<string>>,
): Promise<void> {
  const link = new Link(servers);
  const admin = link.kafka.admin();
  const operation = `creating topics on ${servers.brokers.join(', ')}`;
  try {
    await within(createMissingTopics(admin, settings, listed), limits.openMs, operation);
  } catch (error) {
    throw unavailableError(operation, error);
  } finally {
    link.sever();
  }
}

async function createMissingTopics(
  admin: Admin,
  settings: TopicSettings,
  listed: () => Promise<ReadonlySet<string>>,
): Promise<void> {
  await admin.connect();
  const wanted = topicConfigs(settings);
  const names = wanted.map(({ topic }) => topic);
  const existing = await partitionsOf(admin, names);
  const missing = wanted.filter(({ topic }) => !existing.has(topic));
  const found = wanted.filter(({ topic }) => existing.has(topic));
  for (const one of found) checkPartitionCount(one, existing.get(one.topic)?.count ?? 0);
  if (found.length > 0) await checkTopicConfigs(admin, found, settings);
  if (missing.length === 0) return;
  if (existing.has(settings.names.settings)) await checkNoneDeleted(admin, missing, await listed());
  try {
    await admin.createTopics({ topics: missing, waitForLeaders: false });
  } catch (error) {
    throw topicCreationError(error, settings);
  }
  await waitUntilLed(admin, missing);
  // Another process, or a broker by itself, may have created one of them meanwhile.
  await checkTopicConfigs(admin, missing, settings);
}

async function checkNoneDeleted(
  admin: Admin,
  missing: readonly ITopicConfig[],
  listed: ReadonlySet<string>,
): Promise<void> {
  const deadline = performance.now() + metadataLagMaxMs;
  for (let deleted = missing.map(({ topic }) => topic).filter((topic) => listed.has(topic)); deleted.length > 0;) {
    if (performance.now() > deadline) throw new PortError('corrupt', deletedTopicsMessage(deleted));
    await delay(pollMs);
    const existing = await partitionsOf(admin, deleted);
    deleted = deleted.filter((topic) => !existing.has(topic));
  }
}

/** `waitForLeaders` of kafkajs throws for topics that were just made and are not known everywhere yet. */
async function waitUntilLed(admin: Admin, created: readonly ITopicConfig[]): Promise<void> {
  for (;;) {
    const names = created.map(({ topic }) => topic);
    const known = await partitionsOf(admin, names).catch(() => undefined);
    for (const one of created) checkPartitionCount(one, known?.get(one.topic)?.count ?? 0);
    if (created.every(({ topic, numPartitions }) => known?.get(topic)?.led === numPartitions)) return;
    await delay(pollMs);
  }
}

interface PartitionCounts {
  readonly count: number;
  /** How many of the partitions have a leader. */
  readonly led: number;
}

/**
 * Asks for these topics only, since a cluster may have thousands, and does not create them. Leaves out topics that do
 * not exist, or are being created or deleted.
 */
async function partitionsOf(admin: Admin, names: string[]): Promise<ReadonlyMap<string, PartitionCounts>> {
  const { topics: found } = await admin.fetchTopicMetadata({ topics: names });
  return new Map(
    found
      .filter(({ partitions }) => partitions.length > 0)
      .map(({ name, partitions }) => [
        name,
        { count: partitions.length, led: partitions.filter(({ leader }) => leader >= 0).length },
      ]),
  );
}

/** A count of 0 means that the topic is not known yet. */
function checkPartitionCount({ topic, numPartitions = 1 }: ITopicConfig, count: number): void {
  if (count === 0 || count === numPartitions) return;
  throw new PortError(
    'mismatch',
    `topic ${topic} has ${count} partitions and the configuration asks for ${numPartitions}: ` +
      'the partition count is fixed when the log is created; configure that one',
  );
}

const policyConfig = 'cleanup.policy';
const sizeConfig = 'max.message.bytes';
const retentionConfigs = ['retention.ms', 'retention.bytes'];

/**
 * A broker creates a topic by itself when a client asks for it, and deletes records there after a week, read or not. A
 * process that may not read configurations gets a warning and continues.
 */
async function checkTopicConfigs(
  admin: Admin,
  found: readonly ITopicConfig[],
  { names }: TopicSettings,
): Promise<void> {
  const retainedTopics = new Set([
    ...topicNames.filter((name) => !topics[name].compacted).map((name) => names.topic(name)),
    names.settings,
  ]);
  const configNames = [policyConfig, sizeConfig, ...retentionConfigs];
  const resources = found.map(({ topic }) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configNames }));
  const described = await admin.describeConfigs({ resources, includeSynonyms: false }).catch((error: unknown) => {
    if (brokerErrorType(error)?.endsWith('_AUTHORIZATION_FAILED') !== true) throw error;
    process.emitWarning(
      'Kafka does not let this program see how topics are configured: make sure that each has retention.ms=-1, ' +
        `retention.bytes=-1 and ${sizeConfig}=${limits.messageBytes}, or allow DESCRIBE_CONFIGS on them`,
    );
    return { resources: [] };
  });
  for (const { resourceName, configEntries } of described.resources) {
    const wanted = found.find(({ topic }) => topic === resourceName)?.configEntries ?? [];
    const valueOf = (name: string): string | undefined =>
      configEntries.find(({ configName }) => configName === name)?.configValue;
    const checkedConfigs = retainedTopics.has(resourceName) ? [policyConfig, ...retentionConfigs] : [policyConfig];
    for (const { name, value } of wanted) {
      const actual = checkedConfigs.includes(name) ? valueOf(name) : undefined;
      if (actual !== undefined && actual !== value) throw retentionMismatch(resourceName, name, actual, value);
    }
    const [requiredSize, actualSize] = [wanted.find(({ name }) => name === sizeConfig)?.value, valueOf(sizeConfig)];
    if (requiredSize !== undefined && Number(actualSize) < Number(requiredSize))
      throw messageSizeMismatch(resourceName, String(actualSize), requiredSize);
  }
}

const messageSizeMismatch = (topic: string, has: string, value: string): PortError =>
  new PortError(
    'mismatch',
    `topic ${topic} has ${sizeConfig}=${has} and would refuse the largest records: set ${sizeConfig}=${value} on it (kafka-configs.sh)`,
  );

const retentionMismatch = (topic: string, name: string, has: string, value: string): PortError =>
  new PortError(
    'mismatch',
    `topic ${topic} has ${name}=${has} and would lose what must be kept: set ${name}=${value} on it ` +
      '(kafka-configs.sh), or delete it while it is empty, or use another topic prefix. ' +
      'How long events are kept is RETENTION_DAYS, which deletes only what everybody has read',
  );
