// Reads triggers back that wait as their offsets alone, shortly before their turn.
import type { Trigger } from '../../../domain/component/messages.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import { queued } from './queued-trigger.ts';
import type { QueuedTrigger } from './queued-trigger.ts';
import { refusedTrigger } from './refused-trigger.ts';

/** One page: where a source has the partition for itself it brings so many at once, and costs little where it does not. */
const page = { recordsMax: 32, bytesMax: 256 * 1024 };

/** The first of these offsets, at least one. Throws PortError when it is not on the log any more. */
export async function readBack(
  log: Pick<CheckedLog, 'read'>,
  partition: number,
  offsets: readonly number[],
): Promise<readonly QueuedTrigger[]> {
  const [from = 0] = offsets;
  const { records, malformed } = await log.read('triggers', partition, from, page);
  const found = new Map<number, QueuedTrigger>();
  for (const record of records) if (record.type === 'TriggerRequested') found.set(record.offset, again(record));
  for (const one of malformed) {
    const refused = refusedTrigger(one);
    if (refused !== undefined) found.set(one.offset, refused);
  }
  const triggers: QueuedTrigger[] = [];
  for (const offset of offsets) {
    const trigger = found.get(offset);
    if (trigger === undefined) break;
    triggers.push(trigger);
  }
  if (triggers.length > 0) return triggers;
  throw new PortError('corrupt', `triggers/${partition} has no record at ${from} any more, which was read before`);
}

/** It came in when it was read first. */
function again(record: StoredRecord<Trigger>): QueuedTrigger {
  const { readAt: _, ...trigger } = queued(record);
  return trigger;
}
