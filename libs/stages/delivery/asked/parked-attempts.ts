// Whether an event is parked: as the views showed it, and by the records that they had not taken yet.
import { orderRange } from '../../../domain/deletion/order-range.ts';
import { eventOrder } from '../../../domain/channel/event-id.ts';
import type { DeliveryAsked } from '../../../domain/delivery/attempt/asked.ts';
import type { FilteredEvent } from '../../../domain/delivery/messages.ts';
import { matchesChannel } from '../../../domain/delivery/matching.ts';
import type { DeliveryRequest } from '../../../domain/delivery/replay/messages.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { TaskOptions } from '../delivery-options.ts';
import { scan } from '../reading/scan.ts';

type Asked = Extract<DeliveryRequest, { readonly data: DeliveryAsked }>;
type OfEvent = Exclude<RecordOn<'deliveries'>, FilteredEvent>;
type Task = Pick<TaskOptions, 'context' | 'readSlots' | 'scanSlots'>;

/** The attempts until then; undefined: by the log it is not parked, or this very request was carried out. */
export async function parkedAttempts(
  { id, data: { seen, ...asked } }: Asked,
  task: Task,
  goesOn: () => boolean,
): Promise<number | undefined> {
  const { log, partition } = task.context;
  let attempts = seen.isParked ? seen.attempts : undefined;
  let isDone = false;
  const end = await log.end('deliveries', partition);
  const range = { topic: 'deliveries' as const, from: seen.below, to: () => end, goesOn: () => !isDone && goesOn() };
  await scan(task, range, (record) => {
    if (!isOf(asked, record)) return;
    attempts = after(attempts, record);
    isDone ||= endsParked(record) && record.causationId === id;
  });
  return isDone ? undefined : attempts;
}

/**
 * Whether the event was deleted, by the records that the views had not taken yet. Resolves in the turn of the event loop
 * in which delivery has read as far itself: later deletions find the delivery open.
 */
export async function wasDeleted(
  { emitterId, eventId, channel, seen }: DeliveryAsked,
  task: Task & { readonly tailAt: () => number },
  goesOn: () => boolean,
): Promise<boolean> {
  const { log, partition } = task.context;
  if (seen.channelsBelow === undefined) return false;
  const end = await log.end('channels', partition);
  const order = eventOrder(eventId);
  let isDeleted = false;
  const to = (): number => Math.max(end, task.tailAt());
  const range = { topic: 'channels' as const, from: seen.channelsBelow, to, goesOn: () => !isDeleted && goesOn() };
  await scan(task, range, ({ type, data }) => {
    if (type !== 'EventsDeleted' || data.emitterId !== emitterId || !matchesChannel(data.channel, channel)) return;
    const { from, to: until } = orderRange(data);
    isDeleted ||= from <= order && order < until;
  });
  return isDeleted;
}

function isOf(
  { subscriptionId, emitterId, eventId }: Omit<DeliveryAsked, 'seen'>,
  record: RecordOn<'deliveries'>,
): record is OfEvent {
  if (record.type === 'EventsFiltered') return false;
  const { key, data } = record;
  return key === subscriptionId && data.emitterId === emitterId && data.eventId === eventId;
}

const endsParked = ({ type }: OfEvent): boolean => type === 'DeliveryReopened' || type === 'DeliveryDiscarded';

function after(attempts: number | undefined, record: OfEvent): number | undefined {
  const { type, data } = record;
  if (endsParked(record)) return undefined;
  if (type === 'DeliveryParked') return data.replayId === undefined ? data.attempts : attempts;
  return type === 'DeliveryAttempted' && data.outcome === 'delivered' ? undefined : attempts;
}
