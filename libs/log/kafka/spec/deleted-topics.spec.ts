import { jest } from '@jest/globals';
import { Link } from '../kafkajs/client/link.ts';
import { outgoing } from '../../contract/harness.ts';
import { partitionHash } from '../../../domain/flow.ts';
import { limits } from '../kafka-limits.ts';
import { againstKafka } from '../fixture/brokers.ts';
import { createTestTopics, type TestTopics } from '../fixture/test-topics.ts';

const slowMs = 30_000;

againstKafka('topics that were deleted', (brokers) => {
  jest.setTimeout(slowMs);
  const link = new Link({ brokers, clientId: 'spec' });
  const admin = link.kafka.admin();
  let topics: TestTopics;
  beforeAll(() => admin.connect());
  beforeEach(() => {
    topics = createTestTopics(brokers);
  });
  afterEach(() => topics.remove());
  afterAll(() => link.sever());

  async function remove(topic: string): Promise<string> {
    const name = `${topics.settings.topicPrefix}${topic}`;
    await admin.deleteTopics({ topics: [name] });
    while ((await admin.listTopics()).includes(name));
    return name;
  }

  async function make(topic: string, { numPartitions, policy }: { numPartitions: number; policy: string }) {
    const config = { 'cleanup.policy': policy, 'max.message.bytes': limits.messageBytes, 'retention.ms': -1 };
    const configEntries = Object.entries(config).map(([name, value]) => ({ name, value: String(value) }));
    await admin.createTopics({ topics: [{ topic, numPartitions, replicationFactor: 1, configEntries }] });
  }

  test('a start does not create a deleted topic again, and says what has happened', async () => {
    await (await topics.open()).close();
    const runs = await remove('runs');
    const message = expect.stringMatching(/^the topic test-\S+\.runs of this log was deleted .*KAFKA_TOPIC_PREFIX$/);
    await expect(topics.open()).rejects.toMatchObject({ code: 'corrupt', message });
    expect(await admin.listTopics()).not.toContain(runs);
  });

  test('a topic that is deleted while the log is open is reported', async () => {
    const [looked, other] = [await topics.open(), await topics.open()];
    expect(await looked.deletedTopicsError()).toBeUndefined();
    const runs = await remove('runs');
    for (const log of [looked, other]) {
      expect(await log.deletedTopicsError()).toContain(`the topic ${runs} of this log was deleted from Kafka`);
      await log.close();
    }
  });

  test('a log of an earlier version gets its missing topics, and lists them from then on', async () => {
    await (await topics.open()).close();
    await remove('trees');
    const settings = await remove('settings');
    await make(settings, { numPartitions: 1, policy: 'delete' });
    const producer = link.kafka.producer();
    await producer.connect();
    const begun = JSON.stringify({ partitions: topics.settings.partitions, partitionHash });
    await producer.send({
      topic: settings,
      messages: [{ key: 'log', value: begun, headers: { ce_id: 'settings-1' } }],
    });
    await producer.disconnect();

    const log = await topics.open();
    expect(log.id).toBe(`${settings}/settings-1`);
    await log.close();
    await remove('trees');
    await expect(topics.open()).rejects.toMatchObject({ code: 'corrupt' });
  });

  test('a stage whose marks topic was deleted and made again by hand does not start from the beginning', async () => {
    const log = await topics.open();
    const [writer, other] = [await log.own('runtime', 1), await log.own('runtime', 2)];
    await writer.append([outgoing('channels', 1)], { 'triggers/1': 1 });
    await log.close();
    const marks = await remove('marks.runtime');
    await make(marks, { numPartitions: topics.settings.partitions, policy: 'compact' });

    const again = await topics.open();
    await expect(again.own('runtime', 1)).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringMatching(/marks\.runtime holds no mark of runtime\/1, and .*channels\/1 holds records/),
    });
    expect((await again.own('runtime', 2)).mark).toEqual({ ...other.mark, generation: 1 });
    await again.close();
  });
});
