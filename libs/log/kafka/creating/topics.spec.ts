import { jest } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import kafkajs, { type Admin } from 'kafkajs';
import { Link } from '../kafkajs/client/link.ts';
import { againstKafka } from '../fixture/brokers.ts';
import { createTestTopics, type TestTopics } from '../fixture/test-topics.ts';
import { limits } from '../kafka-limits.ts';
import type { Dial } from '../servers.ts';

const slowMs = 30_000;
const partitions = 3;
const forEver = { policy: 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' };
const newestOfEachKey = { policy: 'compact' };

/** Written from the documentation of topics and retention, not derived from flow.ts. */
const expected = {
  commands: { count: 1, ...forEver },
  triggers: { count: partitions, ...forEver },
  workspaces: { count: 1, ...forEver },
  keys: { count: 1, ...newestOfEachKey },
  components: { count: partitions, ...forEver },
  listeners: { count: 1, ...forEver },
  channels: { count: partitions, ...forEver },
  runs: { count: partitions, ...forEver },
  hooks: { count: partitions, ...forEver },
  state: { count: partitions, ...newestOfEachKey },
  deliveries: { count: partitions, ...forEver },
  cursors: { count: partitions, ...newestOfEachKey },
  'marks.lifecycle': { count: 1, ...newestOfEachKey },
  'marks.runtime': { count: partitions, ...newestOfEachKey },
  'marks.delivery': { count: partitions, ...newestOfEachKey },
  settings: { count: 1, ...forEver },
  replies: { count: 1, policy: 'delete', 'retention.ms': '60000' },
} as const;

const metadataKey = 3;
/** The number of topics in a metadata request that asks for all topics. */
const allTopics = -1;

/** Notes the number of topics in each metadata request: it follows length, key, version, request number and client. */
function countingTopics(requestedCounts: number[]): Dial {
  return ({ host, port, onConnect }) => {
    const socket: Socket = connect({ host, port }, onConnect);
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
    socket.write = ((...args: unknown[]) => {
      const [bytes] = args;
      if (Buffer.isBuffer(bytes) && bytes.readInt16BE(4) === metadataKey)
        requestedCounts.push(bytes.readInt32BE(14 + bytes.readInt16BE(12)));
      return write(...args);
    }) as typeof socket.write;
    return socket;
  };
}

againstKafka('the topics of a log', (brokers) => {
  jest.setTimeout(slowMs);
  const link = new Link({ brokers, clientId: 'spec' });
  const admin: Admin = link.kafka.admin();
  let testTopics: TestTopics;
  beforeAll(() => admin.connect());
  beforeEach(() => {
    testTopics = createTestTopics(brokers, partitions);
  });
  afterEach(() => testTopics.remove());
  afterAll(() => link.sever());

  const onKafka = (name: string): string => `${testTopics.settings.topicPrefix}${name}`;

  test('are created as they are documented', async () => {
    const log = await testTopics.open();
    await log.close();
    const names = Object.keys(expected);
    const { topics } = await admin.fetchTopicMetadata({ topics: names.map(onKafka) });
    const type = kafkajs.ConfigResourceTypes.TOPIC;
    const { resources } = await admin.describeConfigs({
      resources: names.map((name) => ({ type, name: onKafka(name) })),
      includeSynonyms: false,
    });
    const configOf = (name: string, config: string): string | undefined =>
      resources
        .find(({ resourceName }) => resourceName === onKafka(name))
        ?.configEntries.find(({ configName }) => configName === config)?.configValue;
    const found = Object.entries(expected).map(([name, kept]) => {
      const count = topics.find((topic) => topic.name === onKafka(name))?.partitions.length;
      const retained = Object.keys(kept).filter((config) => config.startsWith('retention'));
      const configs = retained.map((config) => [config, configOf(name, config)]);
      return [name, { count, policy: configOf(name, 'cleanup.policy'), ...Object.fromEntries(configs) }];
    });
    expect(Object.fromEntries(found)).toEqual(expected);
    expect(names.map((name) => configOf(name, 'min.insync.replicas'))).toEqual(names.map(() => '1'));
    expect(names.map((name) => Number(configOf(name, 'max.message.bytes')))).toEqual(
      names.map((name) => (name === 'replies' ? limits.replyMessageBytes : limits.messageBytes)),
    );
  });

  test('are asked for by their names; for all topics of the broker once, by kafkajs before it asks for settings', async () => {
    await (await testTopics.open()).close();
    const requestedCounts: number[] = [];
    await (await testTopics.open({ dial: countingTopics(requestedCounts) })).close();
    expect(requestedCounts.filter((count) => count === allTopics).length).toBeLessThanOrEqual(1);
    expect(requestedCounts.filter((count) => count !== allTopics).length).toBeGreaterThan(0);
  });

  test('that a broker created by itself, with a retention time, are refused with what to do', async () => {
    const configEntries = [{ name: 'retention.ms', value: '604800000' }];
    await admin.createTopics({ topics: [{ topic: onKafka('listeners'), numPartitions: 1, configEntries }] });
    await expect(testTopics.open()).rejects.toMatchObject({
      code: 'mismatch',
      message: expect.stringMatching(/listeners has retention\.ms=\d+ .* set retention\.ms=-1 on it/),
    });
  });

  test.each([
    ['ms', '86400000'],
    ['bytes', '1073741824'],
  ])('whose older records a broker deletes by %s, unread or not, are refused with what to do', async (by, value) => {
    const configEntries = [{ name: `retention.${by}`, value }];
    await admin.createTopics({ topics: [{ topic: onKafka('runs'), numPartitions: partitions, configEntries }] });
    await expect(testTopics.open()).rejects.toMatchObject({
      code: 'mismatch',
      message: expect.stringMatching(new RegExp(`runs has retention\\.${by}=${value} .*RETENTION_DAYS`)),
    });
  });

  test('that are compacted although all records are needed are refused', async () => {
    const configEntries = [{ name: 'cleanup.policy', value: 'compact' }];
    await admin.createTopics({ topics: [{ topic: onKafka('channels'), numPartitions: partitions, configEntries }] });
    await expect(testTopics.open()).rejects.toMatchObject({
      code: 'mismatch',
      message: expect.stringContaining('channels has cleanup.policy=compact'),
    });
  });

  test('that accept only smaller records than the log may hold are refused with what to do', async () => {
    const configEntries = [{ name: 'max.message.bytes', value: '1048576' }];
    await admin.createTopics({ topics: [{ topic: onKafka('components'), numPartitions: partitions, configEntries }] });
    await expect(testTopics.open()).rejects.toMatchObject({
      code: 'mismatch',
      message: expect.stringContaining(`set max.message.bytes=${limits.messageBytes} on it`),
    });
  });

  test('that want more copies than there are brokers are waited for, with the setting to correct', async () => {
    await expect(testTopics.open({ replicationFactor: 9 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/topic \S+ \(INVALID_REPLICATION_FACTOR: .*\): KAFKA_REPLICATION_FACTOR is 9, /),
    });
  });

  test('with another number of partitions are refused', async () => {
    await admin.createTopics({ topics: [{ topic: onKafka('channels'), numPartitions: partitions + 1 }] });
    await expect(testTopics.open()).rejects.toMatchObject({
      code: 'mismatch',
      message: expect.stringMatching(/channels has 4 partitions and the configuration asks for 3/),
    });
  });
});
