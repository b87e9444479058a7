// Deleting a webhook deletes all its subscriptions, even if the process is killed at any moment meanwhile.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '../../../libs/client/index.ts';
import { partitionCount } from '../../../libs/domain/flow.ts';
import { SqliteLog } from '../../../libs/log/sqlite/sqlite-log.ts';
import { withFixture } from '../../support/fixture.ts';
import { pause, until } from '../../support/until.ts';

const subscriptions = 1_500;
const atOnce = 50;
const rounds = 3;
/** From before the command is on the log until after the last tombstone. */
const killWithinMs = 150;
/** Each check needs a start. */
const takenAwayMs = 60_000;
/** The number of partitions with which the embedded engine creates its log. */
const partitions = 4;
const wholePartition = { recordsMax: 100_000, bytesMax: 1e9 };

const fixture = withFixture();
const connect = async () => createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });

test('deleting a webhook removes all its subscriptions, after the next start if a kill interrupts it', async () => {
  const client = await connect();
  const kept = await client.createWebhook({ url: fixture.receiver.url('/kept') });
  const { id: keptId } = await client.createSubscription({ emitter_id: 'dc_*', listener_id: kept.id });
  for (let round = 0; round < rounds; round++) {
    const { id } = await client.createWebhook({ url: fixture.receiver.url(`/${round}`) });
    await subscribe(id);
    const deleted = client.deleteWebhook(id).catch(() => undefined);
    await pause(randomInt(killWithinMs));
    await fixture.product.kill();
    await deleted;
    await fixture.product.start();
    // The kill may have come before the command was on the log.
    await client.deleteWebhook(id).catch(() => undefined);
    await until('its subscriptions to be gone', async () => {
      const { data } = await client.subscriptions({ limit: 10 });
      return data.length === 1 && data[0]?.id === keptId;
    });
  }
  await fixture.product.stop();
  await fixture.product.start();
  const isTakenAway = async (): Promise<boolean> => {
    await fixture.product.stop();
    const left = await keysOnTopic('subscriptions');
    await fixture.product.start();
    return left.every((key) => key === keptId);
  };
  await until('everything to be taken away', isTakenAway, takenAwayMs);
  await fixture.product.stop();
  expect(await keysOnTopic('subscriptions')).toEqual(Array.from({ length: partitions }, () => keptId));
  expect(await keysOnTopic('webhooks')).toEqual([kept.id]);
  expect(await keysOnTopic('cursors')).toEqual([]);
}, 240_000);

async function subscribe(listenerId: string): Promise<void> {
  const client = await connect();
  for (let from = 0; from < subscriptions; from += atOnce) {
    const names = Array.from({ length: atOnce }, (_, i) => `channel ${from + i}`);
    await Promise.all(
      names.map((name) => client.createSubscription({ emitter_id: 'dc_*', listener_id: listenerId, event_name: name })),
    );
  }
}

/** The keys of the records left on a compacted topic of the stopped product, without those that close a fold. */
async function keysOnTopic(topic: 'subscriptions' | 'webhooks' | 'cursors'): Promise<string[]> {
  const log = await SqliteLog.open({ file: join(fixture.product.dataDir, 'log.sqlite'), partitions });
  try {
    const keys: string[] = [];
    for (let partition = 0; partition < partitionCount(topic, partitions); partition++) {
      const { records } = await log.read(topic, partition, 0, wholePartition);
      keys.push(...records.filter(({ data, type }) => data && type !== 'DefinitionsFolded').map(({ key }) => key));
    }
    return keys;
  } finally {
    await log.close();
  }
}
