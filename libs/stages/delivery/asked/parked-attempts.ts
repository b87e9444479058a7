// Whether an event stands parked: as the views showed it, and by the records that they had not taken yet.
import type { DeliveryAsked } from '../../../domain/delivery/attempt/asked.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { TaskOptions } from '../options.ts';
import { scan } from '../reading/scan.ts';

/** The attempts until then; undefined: it does not stand parked, by the log. */
export async function parkedAttempts(
  { seen, ...asked }: DeliveryAsked,
  task: Pick<TaskOptions, 'context' | 'readers' | 'scanners'>,
  goesOn: () => boolean,
): Promise<number | undefined> {
  const { log, partition } = task.context;
  let attempts = seen.isParked ? seen.attempts : undefined;
  const end = await log.end('deliveries', partition);
  await scan(task, { topic: 'deliveries', from: seen.below, to: () => end, goesOn }, (record) => {
    if (isOf(asked, record)) attempts = after(attempts, record);
  });
  return attempts;
}

const isOf = (
  { subscriptionId, emitterId, eventId }: Omit<DeliveryAsked, 'seen'>,
  { key, data }: RecordOn<'deliveries'>,
): boolean => key === subscriptionId && data.emitterId === emitterId && data.eventId === eventId;

function after(attempts: number | undefined, { type, data }: RecordOn<'deliveries'>): number | undefined {
  switch (type) {
    case 'DeliveryParked':
      return data.replayId === undefined ? data.attempts : attempts;
    case 'DeliveryAttempted':
      return data.outcome === 'delivered' ? undefined : attempts;
    case 'DeliveryReopened':
    case 'DeliveryDiscarded':
      return undefined;
  }
}
