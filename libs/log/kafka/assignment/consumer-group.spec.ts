import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { brokerError } from '../kafkajs/private-api.ts';
import { brokerErrorType, canRetry } from '../kafkajs/client/kafka-errors.ts';
import { Link } from '../kafkajs/client/link.ts';
import { againstKafka } from '../fixture/brokers.ts';
import { ConsumerGroup } from './consumer-group.ts';

const slowMs = 30_000;
const topicAuthorizationFailed = 29;
const againMs = 50;

againstKafka('a member of a consumer group', (brokers) => {
  jest.setTimeout(slowMs);

  /** The first group of a new broker waits for its coordinator. */
  async function join(member: ConsumerGroup): Promise<readonly number[]> {
    for (;;) {
      try {
        return await member.join([]);
      } catch (error) {
        if (!canRetry(error)) throw error;
        await delay(againMs);
      }
    }
  }

  /** Resolves once another member's join is pending at the coordinator and waits for this member. */
  async function untilAwaited(member: ConsumerGroup): Promise<void> {
    for (;;) {
      const refused = await member.heartbeat().catch((error: unknown) => error);
      if (brokerErrorType(refused) === 'REBALANCE_IN_PROGRESS') return;
      await delay(againMs);
    }
  }

  async function untilMembers(group: string, count: number): Promise<void> {
    const link = new Link({ brokers, clientId: 'spec' });
    const admin = link.kafka.admin();
    while ((await admin.describeGroups([group])).groups[0]?.members.length !== count) await delay(againMs);
    await admin.disconnect();
    link.sever();
  }

  test('that is refused while looking for the coordinator starts over at the next join', async () => {
    const shared = { group: `test-${randomUUID()}`, topic: '__consumer_offsets', partitions: 4 };
    const member = new ConsumerGroup({ brokers, clientId: 'spec' }, shared);
    const metadata = createRequire(import.meta.url)('kafkajs/src/protocol/requests/metadata/v6/response');
    const refused = jest.spyOn(metadata, 'parse').mockRejectedValueOnce(brokerError(topicAuthorizationFailed));
    await expect(member.join([])).rejects.toMatchObject({ type: 'TOPIC_AUTHORIZATION_FAILED' });
    refused.mockRestore();
    expect(await join(member)).toEqual([0, 1, 2, 3]);
    await member.leave();
  });

  test('that leaves while it waits for others to rejoin is gone at once', async () => {
    const shared = { group: `test-${randomUUID()}`, topic: '__consumer_offsets', partitions: 4 };
    const members = [1, 2, 3].map((n) => new ConsumerGroup({ brokers, clientId: `spec-${n}` }, shared));
    const [stays, leaves, comes] = members as [ConsumerGroup, ConsumerGroup, ConsumerGroup];
    await join(stays);
    const joining = leaves.join([]);
    await untilAwaited(stays);
    await Promise.all([stays.join([]), joining]);

    // It reports other partitions than before: otherwise the coordinator would answer at once.
    const again = leaves.join([0]).catch(() => 'it was given up');
    await untilAwaited(stays);
    const coming = comes.join([]);
    await untilMembers(shared.group, members.length);
    await leaves.leave();
    // A member that is only silent would be waited for, and would have a share in this generation.
    const [some, others] = await Promise.all([stays.join([]), coming]);
    expect([...some, ...others].toSorted()).toEqual([0, 1, 2, 3]);
    expect(await again).toBe('it was given up');
    await Promise.all([stays.leave(), comes.leave()]);
  });
});
