// Finds where a new subscription begins in each partition of `channels`: at the requested position, or at the end.
import { isEverySource } from '../../../domain/delivery/matching.ts';
import { partitionOf } from '../../../domain/flow.ts';
import type { ListenerCommand } from '../../../domain/listener/messages.ts';
import type { Log } from '../../../log/log.ts';
import { offsetAt } from '../../../log/offset-at.ts';

type StartRequest = Pick<
  Extract<ListenerCommand, { readonly type: 'CreateSubscription' }>['data'],
  'emitterId' | 'start' | 'startsAt'
>;

/** Offsets by partition. Those below retention are fine: reading there continues at the oldest event that is left. */
export async function startOffsetsOf(
  log: Pick<Log, 'read' | 'end' | 'partitions'>,
  { emitterId, start, startsAt }: StartRequest,
  ends: () => Promise<readonly number[]>,
): Promise<readonly number[]> {
  const currentEnds = await ends();
  if (start === undefined) return currentEnds;
  const ownPartition = isEverySource(emitterId) ? undefined : partitionOf(emitterId, log.partitions);
  const offsets = currentEnds.map(async (end, partition) => {
    if (ownPartition !== undefined && partition !== ownPartition) return end;
    switch (start.by) {
      case 'earliest':
        return 0;
      case 'event':
        // An offset belongs to one partition, so a subscription to every source cannot use one.
        return ownPartition === undefined ? end : Math.min(start.value, end);
      case 'time': {
        const place = startsAt?.find((one) => one.partition === partition);
        // Commands from an earlier version have no place; all later commands wait for this look-up.
        return Math.min(place?.offset ?? (await offsetAt(log, { topic: 'channels', partition }, start.value)), end);
      }
      case 'now':
      case 'sequence':
        return end;
    }
  });
  return Promise.all(offsets);
}
