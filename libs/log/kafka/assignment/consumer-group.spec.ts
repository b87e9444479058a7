import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import kafkajs from 'kafkajs';
import { until } from '../../../../test/support/until.ts';
import { brokerError } from '../kafkajs/private-api.ts';
import { mayPass } from '../kafkajs/client/kafka-errors.ts';
import { againstKafka } from '../fixture/brokers.ts';
import { ConsumerGroup } from './consumer-group.ts';

const slowMs = 30_000;
const topicAuthorizationFailed = 29;
/** Far below the session's 6 s, after which a member that is gone is noticed in any case. */
const soonMs = 3_000;
/** By then a request that was just sent has arrived. */
const arrivedMs = 300;

againstKafka('a member of a consumer group', (brokers) => {
  jest.setTimeout(slowMs);

  /** The first group of a new broker waits for its coordinator. */
  async function join(member: ConsumerGroup): Promise<readonly number[]> {
    for (;;) {
      try {
        return await member.join([]);
      } catch (error) {
        if (!mayPass(error)) throw error;
        await delay(arrivedMs);
      }
    }
  }

  /** The coordinator has somebody's request to join, and waits for the members that it had. */
  async function untilOthersMustJoin(group: string): Promise<void> {
    const admin = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING }).admin();
    await admin.connect();
    try {
      const isAwaiting = async (): Promise<boolean> =>
        (await admin.describeGroups([group])).groups[0]?.state === 'PreparingRebalance';
      await until('the group to be put together anew', isAwaiting);
    } finally {
      await admin.disconnect();
    }
  }

  test('that was refused on its way to the coordinator tries the whole way again', async () => {
    const shared = { group: `test-${randomUUID()}`, topic: '__consumer_offsets', partitions: 4 };
    const member = new ConsumerGroup({ brokers, clientId: 'spec' }, shared);
    const metadata = createRequire(import.meta.url)('kafkajs/src/protocol/requests/metadata/v6/response');
    const refused = jest.spyOn(metadata, 'parse').mockRejectedValueOnce(brokerError(topicAuthorizationFailed));
    await expect(member.join([])).rejects.toMatchObject({ type: 'TOPIC_AUTHORIZATION_FAILED' });
    refused.mockRestore();
    expect(await join(member)).toEqual([0, 1, 2, 3]);
    await member.leave();
  });

  test('that leaves while it waits for the others to join again is gone at once', async () => {
    const shared = { group: `test-${randomUUID()}`, topic: '__consumer_offsets', partitions: 4 };
    const members = [1, 2, 3].map((n) => new ConsumerGroup({ brokers, clientId: `spec-${n}` }, shared));
    const [stays, leaves, comes] = members as [ConsumerGroup, ConsumerGroup, ConsumerGroup];
    await join(stays);
    const joining = leaves.join([]);
    await untilOthersMustJoin(shared.group);
    await Promise.all([stays.join([]), joining]);

    const coming = comes.join([]);
    await untilOthersMustJoin(shared.group);
    const again = leaves.join([]).catch(() => 'it was given up');
    await delay(arrivedMs);
    const startedAt = performance.now();
    await leaves.leave();
    const [some, others] = await Promise.all([stays.join([]), coming]);
    expect(performance.now() - startedAt).toBeLessThan(soonMs);
    expect([...some, ...others].toSorted()).toEqual([0, 1, 2, 3]);
    expect(await again).toBe('it was given up');
    await Promise.all([stays.leave(), comes.leave()]);
  });
});
