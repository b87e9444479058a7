// Asks about single deliveries in the world of delivery, as the gateway does.
import { until } from '../../../../test/support/until.ts';
import type { DeliveryWorld } from '../delivery.world.fake.ts';

/** What the views have shown; left out: everything that is on the log. */
export interface Seen {
  readonly below?: number;
  readonly channelsBelow?: number;
}

/** Asks about the nth event of `sub_1` as the views show it at this moment. */
export async function askAbout(
  world: DeliveryWorld,
  type: 'Retry' | 'Discard',
  { n, isParked }: { readonly n: number; readonly isParked: boolean },
  { below, channelsBelow }: Seen = {},
): Promise<Parameters<DeliveryWorld['log']['request']>[0]> {
  const event = world.log.records('channels').find(({ data }) => (data as { event: { n: number } }).event.n === n);
  const { eventId = '', emitterId = '' } = (event?.data ?? {}) as { eventId?: string; emitterId?: string };
  const seen = {
    isParked,
    attempts: isParked ? 1 : 0,
    below: below ?? (await world.log.end('deliveries', 0)),
    ...(channelsBelow === undefined ? {} : { channelsBelow }),
  };
  const data = { subscriptionId: 'sub_1', emitterId, eventId, channel: '', offset: event?.offset ?? -1, seen };
  const record = world.record(`Delivery${type}Requested`, 'sub_1', data);
  const request = { topic: 'requests', partition: 0, record: record as never } as const;
  await world.log.request(request);
  return request;
}

/** Resolves once every request was taken, and the mark on the log says so. */
export async function everyRequestTaken(world: DeliveryWorld): Promise<void> {
  const end = await world.log.end('requests', 0);
  await until('the request to be taken', () => (world.positions['requests/0'] ?? 0) >= end);
}
