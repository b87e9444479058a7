// An operator backs up the running service, loses it, and starts another from the backup and the master key.
import { copyFile, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { removeLater } from '../../support/processes/left-behind.ts';
import { Product } from '../../support/product.ts';
import { until } from '../../support/until.ts';

const fixture = withFixture();

let folder: string;
let client: Client;
beforeAll(async () => {
  folder = removeLater(await mkdtemp(join(tmpdir(), 'backup-')));
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
});

test('a service started from a backup has everything published before it, and goes on delivering', async () => {
  const { receiver, product } = fixture;
  const channel = await client.deploySource({ kind: 'channel', name: 'orders' });
  const webhook = await client.createWebhook({ url: receiver.url('/orders'), name: 'orders' });
  await client.createSubscription({ emitter_id: channel.id, listener_id: webhook.id });
  const idsBefore = await publishEvents(channel.id, 100);
  await until('every delivery', () => receiver.requestsTo('/orders').length >= idsBefore.length);

  // It is backed up in the middle of traffic, which continues.
  const during = publishEvents(channel.id, 200);
  const file = join(folder, 'log.sqlite');
  const result = await product.backUp(file);
  expect(result).toEqual({
    code: 0,
    output: expect.stringMatching(/^Backed up to .*log\.sqlite: [\d.]+ MiB in [\d.]+ s\n/),
  });
  expect(result.output).toContain(join(product.dataDir, 'master-key'));
  await during;

  const dataDir = join(folder, 'restored');
  await mkdir(dataDir);
  await copyFile(file, join(dataDir, 'log.sqlite'));
  await copyFile(join(product.dataDir, 'master-key'), join(dataDir, 'master-key'));
  await product.stop();
  const restored = await Product.create({ dataDir });
  expect(await restored.rebuild()).toMatchObject({ code: 0, output: expect.not.stringContaining(' 0 documents') });
  await restored.start();
  try {
    // Keys are on the log: the old one is still valid.
    const again = createClient({ baseUrl: restored.baseUrl, apiKey: await product.apiKey() });
    expect((await again.sources()).data.map(({ name }) => name)).toEqual(['orders']);
    const events = await eventIds(again, channel.id);
    expect(idsBefore.filter((id) => !events.includes(id))).toEqual([]);
    expect(events.length).toBeLessThanOrEqual(idsBefore.length + (await during).length);

    await again.publish(channel.id, [{ event: { after: true } }]);
    await until('the new event at the receiver', () =>
      receiver.requestsTo('/orders').some(({ body }) => body === '{"after":true}'),
    );
  } finally {
    await restored.stop();
  }
}, 90_000);

test('a backup without a file, onto a file that exists, or of a folder without a log says what to do', async () => {
  const existing = join(folder, 'log.sqlite');
  expect(await fixture.product.backUp(existing)).toEqual({
    code: 1,
    output: `Nothing was backed up: ${existing} exists already: name a file that does not\n`,
  });
  expect(await (await Product.create({ dataDir: join(folder, 'nothing') })).backUp(join(folder, 'other'))).toEqual({
    code: 1,
    output: expect.stringContaining('set DATA_DIR to the data directory of the service'),
  });
});

/** The ids of all events, as lists show them. */
async function eventIds(client: Client, channelId: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ;) {
    const { data, page_info } = await client.eventSummaries(channelId, {
      limit: 100,
      ...(after === undefined ? {} : { after }),
    });
    ids.push(...data.map(({ id }) => id));
    if (data.length === 0 || page_info.end_cursor === null) return ids;
    after = page_info.end_cursor;
  }
}

/** The ids of that many new events. */
async function publishEvents(channelId: string, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const [event] = await client.publish(channelId, [{ event: { n } }]);
    ids.push(event?.id ?? '');
  }
  return ids;
}
