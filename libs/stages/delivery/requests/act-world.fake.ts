// Requests retries and discards of single deliveries in delivery's test world, as the gateway does.
import { until } from '../../../../test/support/until.ts';
import type { DeliveryWorld } from '../delivery.world.fake.ts';

/** Up to which offsets the views have read; if absent, everything on the log. */
export interface ViewState {
  readonly below?: number;
  readonly channelsBelow?: number;
  /** Whether the views show the event as deleted. */
  readonly isDeleted?: boolean;
}

interface RequestedEvent {
  readonly n: number;
  readonly isParked: boolean;
  readonly subscriptionId?: string;
}

/** Requests a retry or discard of a subscription's nth event, `sub_1` by default, as the views show it now. */
export async function requestAct(
  world: DeliveryWorld,
  type: 'Retry' | 'Discard',
  { n, isParked, subscriptionId = 'sub_1' }: RequestedEvent,
  { below, channelsBelow, isDeleted = false }: ViewState = {},
): Promise<Parameters<DeliveryWorld['log']['request']>[0]> {
  const event = world.log.records('channels').find(({ data }) => (data as { event: { n: number } }).event.n === n);
  const { eventId = '', emitterId = '' } = (event?.data ?? {}) as { eventId?: string; emitterId?: string };
  const seen = {
    isParked,
    attempts: isParked ? 1 : world.deliveries(subscriptionId).filter((one) => isAttempt(one, eventId)).length,
    below: below ?? (await world.log.end('deliveries', 0)),
    ...(channelsBelow === undefined ? {} : { channelsBelow }),
  };
  const offset = isDeleted ? {} : { offset: event?.offset ?? -1 };
  const data = { subscriptionId, emitterId, eventId, channel: '', ...offset, seen };
  const record = world.record(`Delivery${type}Requested`, subscriptionId, data);
  const request = { topic: 'requests', partition: 0, record: record as never } as const;
  await world.log.request(request);
  return request;
}

const isAttempt = ({ type, data }: ReturnType<DeliveryWorld['deliveries']>[number], eventId: string): boolean =>
  type === 'DeliveryAttempted' && data['eventId'] === eventId;

/** Resolves once the mark on the log shows that every request was carried out. */
export async function requestsCarriedOut(world: DeliveryWorld): Promise<void> {
  const end = await world.log.end('requests', 0);
  await until('the request to be taken', () => (world.positions['requests/0'] ?? 0) >= end);
}
