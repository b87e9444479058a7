import { jest } from '@jest/globals';
import { Link } from '../kafkajs/client/link.ts';
import { outgoing } from '../../contract/harness.ts';
import { againstKafka } from '../fixture/brokers.ts';
import { ownTopics } from '../fixture/own-log.ts';

const slowMs = 30_000;

againstKafka('marks that were lost', (brokers) => {
  jest.setTimeout(slowMs);
  const topics = ownTopics(brokers);
  const link = new Link({ brokers, clientId: 'spec' });
  afterAll(async () => {
    link.sever();
    await topics.remove();
  });

  test('a stage whose marks topic was deleted does not start from the beginning', async () => {
    const log = await topics.open();
    const [writer, other] = [await log.own('runtime', 1), await log.own('runtime', 2)];
    await writer.append([outgoing('channels', 1)], { 'triggers/1': 1 });
    await log.close();
    const admin = link.kafka.admin();
    const marks = `${topics.settings.topicPrefix}marks.runtime`;
    await admin.connect();
    await admin.deleteTopics({ topics: [marks] });
    while ((await admin.listTopics()).includes(marks));

    const again = await topics.open();
    await expect(again.own('runtime', 1)).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringMatching(/marks\.runtime holds no mark of runtime\/1, and .*channels\/1 holds records/),
    });
    expect((await again.own('runtime', 2)).mark).toEqual({ ...other.mark, generation: 1 });
    await again.close();
  });
});
