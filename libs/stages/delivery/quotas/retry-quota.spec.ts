// Waiting retries of a deleted subscription take no share from others.
import { failedInlineMax } from '../../../domain/delivery/cursor.ts';
import { until } from '../../../../test/support/until.ts';
import { DeliveryWorld } from '../delivery.world.fake.ts';

let world: DeliveryWorld;
beforeEach(async () => {
  world = new DeliveryWorld();
  await world.addKey();
  await world.addWebhook('wh_1', { ordered: false, retrySchedule: [3_600] });
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  world.webhook.script = () => ({ status: 500 });
  await world.start();
  await world.emit(Array.from({ length: failedInlineMax + 3 }, (_, n) => n));
  await wait(3);
});
afterEach(async () => {
  expect(world.fatal).toEqual([]);
  await world.end();
});

const waiting = async (): Promise<number> =>
  Number(/^wellspring_delivery_retries_waiting (\d+)$/m.exec(await world.metrics.text())?.[1]);
const wait = (count: number): Promise<unknown> =>
  until(`${count} retries to wait`, async () => (await waiting()) === count);

test('the retries of a deleted subscription do not wait any more', async () => {
  await world.unsubscribe('sub_1');
  await wait(0);
  expect(await waiting()).toBe(0);
});
