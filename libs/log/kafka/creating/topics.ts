// Creates the log's topics from flow.ts, and refuses existing ones whose settings would lose records.
import { setTimeout as delay } from 'node:timers/promises';
import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';
import { topicNames, topics } from '../../../domain/flow.ts';
import { PortError } from '../../../domain/port-error.ts';
import { within } from '../../../primitives/time-limit.ts';
import { Link } from '../kafkajs/client/link.ts';
import { brokerErrorType, unavailable } from '../kafkajs/client/kafka-errors.ts';
import { limits } from '../kafka-limits.ts';
import type { KafkaServers } from '../servers.ts';
import { goneText } from './listed-topics.ts';
import { notCreated } from './not-created.ts';
import { wantedTopics, type TopicSettings } from './wanted.ts';

const pollMs = 50;
/** How long a listed topic may be missing before it counts as deleted: brokers learn of a new one one by one. */
const knownLateMs = 5_000;

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
  const what = `creating topics on ${servers.brokers.join(', ')}`;
  try {
    await within(create(admin, settings, listed), limits.openMs, what);
  } catch (error) {
    throw unavailable(what, error);
  } finally {
    link.sever();
  }
}

async function create(
  admin: Admin,
  settings: TopicSettings,
  listed: () => Promise<ReadonlySet<string>>,
): Promise<void> {
  await admin.connect();
  const wanted = wantedTopics(settings);
  const names = wanted.map(({ topic }) => topic);
  const there = await partitionsOf(admin, names);
  const missing = wanted.filter(({ topic }) => !there.has(topic));
  const found = wanted.filter(({ topic }) => there.has(topic));
  for (const one of found) checkCount(one, there.get(one.topic)?.count ?? 0);
  if (found.length > 0) await checkKept(admin, found, settings);
  if (missing.length === 0) return;
  if (there.has(settings.names.settings)) await checkNoneGone(admin, missing, await listed());
  try {
    await admin.createTopics({ topics: missing, waitForLeaders: false });
  } catch (error) {
    throw notCreated(error, settings);
  }
  await untilLed(admin, missing);
  // Another process, or a broker by itself, may have created one of them meanwhile.
  await checkKept(admin, missing, settings);
}

async function checkNoneGone(
  admin: Admin,
  missing: readonly ITopicConfig[],
  listed: ReadonlySet<string>,
): Promise<void> {
  const until = performance.now() + knownLateMs;
  for (let gone = missing.map(({ topic }) => topic).filter((topic) => listed.has(topic)); gone.length > 0;) {
    if (performance.now() > until) throw new PortError('corrupt', goneText(gone));
    await delay(pollMs);
    const known = await partitionsOf(admin, gone);
    gone = gone.filter((topic) => !known.has(topic));
  }
}

/** `waitForLeaders` of kafkajs throws for topics that were just made and are not known everywhere yet. */
async function untilLed(admin: Admin, made: readonly ITopicConfig[]): Promise<void> {
  for (;;) {
    const names = made.map(({ topic }) => topic);
    const known = await partitionsOf(admin, names).catch(() => undefined);
    for (const one of made) checkCount(one, known?.get(one.topic)?.count ?? 0);
    if (made.every(({ topic, numPartitions }) => known?.get(topic)?.led === numPartitions)) return;
    await delay(pollMs);
  }
}

interface Partitions {
  readonly count: number;
  /** How many of the partitions have a leader. */
  readonly led: number;
}

/**
 * Asks for these topics only, since a cluster may have thousands, and does not create them. Leaves out topics that do
 * not exist, or are being created or deleted.
 */
async function partitionsOf(admin: Admin, names: string[]): Promise<ReadonlyMap<string, Partitions>> {
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
function checkCount({ topic, numPartitions = 1 }: ITopicConfig, count: number): void {
  if (count === 0 || count === numPartitions) return;
  throw new PortError(
    'mismatch',
    `topic ${topic} has ${count} partitions and the configuration asks for ${numPartitions}: ` +
      'the partition count is fixed when the log is created; configure that one',
  );
}

const policy = 'cleanup.policy';
const size = 'max.message.bytes';
const retention = ['retention.ms', 'retention.bytes'];

/**
 * A broker creates a topic by itself when a client asks for it, and deletes records there after a week, read or not. A
 * process that may not read configurations gets a warning and continues.
 */
async function checkKept(admin: Admin, found: readonly ITopicConfig[], { names }: TopicSettings): Promise<void> {
  const kept = new Set([
    ...topicNames.filter((name) => !topics[name].compacted).map((name) => names.topic(name)),
    names.settings,
  ]);
  const configNames = [policy, size, ...retention];
  const resources = found.map(({ topic }) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configNames }));
  const described = await admin.describeConfigs({ resources, includeSynonyms: false }).catch((error: unknown) => {
    if (brokerErrorType(error)?.endsWith('_AUTHORIZATION_FAILED') !== true) throw error;
    process.emitWarning(
      'Kafka does not let this program see how topics are configured: make sure that each has retention.ms=-1, ' +
        `retention.bytes=-1 and ${size}=${limits.messageBytes}, or allow DESCRIBE_CONFIGS on them`,
    );
    return { resources: [] };
  });
  for (const { resourceName, configEntries } of described.resources) {
    const wanted = found.find(({ topic }) => topic === resourceName)?.configEntries ?? [];
    const valueOf = (name: string): string | undefined =>
      configEntries.find(({ configName }) => configName === name)?.configValue;
    const bound = kept.has(resourceName) ? [policy, ...retention] : [policy];
    for (const { name, value } of wanted) {
      const has = bound.includes(name) ? valueOf(name) : undefined;
      if (has !== undefined && has !== value) throw wouldLose(resourceName, name, has, value);
    }
    const [least, has] = [wanted.find(({ name }) => name === size)?.value, valueOf(size)];
    if (least !== undefined && Number(has) < Number(least)) throw wouldRefuse(resourceName, String(has), least);
  }
}

const wouldRefuse = (topic: string, has: string, value: string): PortError =>
  new PortError(
    'mismatch',
    `topic ${topic} has ${size}=${has} and would refuse the largest records: set ${size}=${value} on it (kafka-configs.sh)`,
  );

const wouldLose = (topic: string, name: string, has: string, value: string): PortError =>
  new PortError(
    'mismatch',
    `topic ${topic} has ${name}=${has} and would lose what must be kept: set ${name}=${value} on it ` +
      '(kafka-configs.sh), or delete it while it is empty, or use another topic prefix. ' +
      'How long events are kept is RETENTION_DAYS, which deletes only what everybody has read',
  );
