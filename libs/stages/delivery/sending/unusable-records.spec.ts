import { recordOf, samples } from '../../../domain/record/samples.fake.ts';
import { unusableRecords } from '../../../domain/record/unusable-records.fake.ts';
import type { LogRecord } from '../../../domain/message.ts';
import type { TopicName } from '../../../domain/flow.ts';
import { until } from '../../../../test/support/until.ts';
import { DeliveryWorld, workspace } from '../delivery.world.fake.ts';

let world: DeliveryWorld;
beforeEach(() => (world = new DeliveryWorld()));
afterEach(() => world.end());

/** Appends records before the world's writers own the topics. */
async function appendAs(stage: 'lifecycle' | 'runtime' | 'delivery', topic: TopicName, records: readonly LogRecord[]) {
  const writer = await world.log.own(stage, 0);
  await writer.append(
    records.map((record) => ({ topic, partition: 0, record })),
    writer.mark.positions,
  );
}

const spoiledOf = (topic: TopicName, type: string, data: object): LogRecord[] =>
  unusableRecords(topic, type, data).map(([, record]) => record);

test('malformed records on any input topic are skipped, and the records after them are delivered', async () => {
  const { SubscriptionDefined } = samples.subscriptions;
  await appendAs('lifecycle', 'webhooks', spoiledOf('webhooks', 'WebhookDefined', samples.webhooks.WebhookDefined));
  await appendAs('lifecycle', 'subscriptions', spoiledOf('subscriptions', 'SubscriptionDefined', SubscriptionDefined));
  for (const topic of ['webhooks', 'subscriptions'] as const)
    await appendAs('lifecycle', topic, [recordOf('DefinitionsFolded', null, { key: 'folded' })]);
  await appendAs('lifecycle', 'keys', spoiledOf('keys', 'DataKeyAdded', samples.keys.DataKeyAdded));
  await appendAs('runtime', 'channels', spoiledOf('channels', 'EventEmitted', samples.channels.EventEmitted));
  await appendAs('delivery', 'cursors', spoiledOf('cursors', 'CursorMoved', samples.cursors.CursorMoved));
  await world.addKey();
  await world.addWebhook('wh_a');
  await world.subscribe('sub_a', { listenerId: 'wh_a' });
  await world.start();
  await world.emit([1, 2]);
  await until('both', () => world.delivered('sub_a') === 2);
  await world.markAtEnd();
  await world.stop();
  await world.start();
  await world.emit([3]);
  await until('the third, after a restart', () => world.delivered('sub_a') === 3);
  expect([world.sentTo('wh_a'), world.fatal]).toEqual([[1, 2, 3], []]);
});

test.each([
  { order: 'strict', settings: {}, gone: 1 },
  { order: 'by key', settings: { orderKey: '/emitterId' }, gone: 3 },
])('events that left the log before their turn block nothing (order: $order)', async ({ settings, gone }) => {
  await world.addKey();
  await world.addWebhook('wh_a', { ordered: true, retrySchedule: [0.001], ...settings });
  await world.subscribe('sub_a', { listenerId: 'wh_a' });
  world.webhook.script = async ({ body }) => {
    if (!body.includes('"n":1,')) return { status: 200 };
    await world.markAtEnd();
    await world.log.trim('channels', 0, 3);
    return { status: 500 };
  };
  await world.start();
  await world.emit([1, 2, 3]);
  await until('the failed attempt', () => world.deliveries('sub_a').length > 0);
  await world.emit([4]);
  await until('what is left', () => world.delivered('sub_a') === 1);
  await until('its record', () => world.finished('sub_a/dc_a') === gone + 1);
  expect(world.sentTo('wh_a')).toEqual([1, 4]);
  expect(world.cursor('sub_a/dc_a')?.data).toMatchObject({ counters: { published: gone + 1, expired: { gone } } });
  expect(world.errorsLogged).toEqual(['An event that is still to be delivered is not on the log any more.']);
});

test('a workspace whose data key is damaged blocks nobody else', async () => {
  const damaged = recordOf('DataKeyAdded', samples.keys.DataKeyAdded, { key: 'o_2', workspace: 'o_2' });
  await appendAs('lifecycle', 'keys', [damaged]);
  await world.addKey();
  await world.addWebhook('wh_a');
  await world.subscribe('sub_a', { listenerId: 'wh_a' });
  await world.start();
  await world.emit([1]);
  await until('its delivery', () => world.delivered('sub_a') === 1);
  expect([workspace, world.fatal]).toEqual(['o_1', []]);
});
