// Reads triggers that were kept only as offsets from the log, shortly before their turn.
import type { Trigger } from '../../../domain/source/messages.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import { queuedTriggerOf } from '../source/queued-trigger.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import { refusedTrigger } from './refused-trigger.ts';

/** A page has enough triggers if a source has the partition to itself, and is cheap if it shares the partition. */
const page = { recordsMax: 32, bytesMax: 256 * 1024 };

/** Returns at least the first of the triggers at these offsets. Throws PortError if the log no longer has that one. */
export async function readBack(
  log: Pick<CheckedLog, 'read'>,
  partition: number,
  offsets: readonly number[],
): Promise<readonly QueuedTrigger[]> {
  const [from = 0] = offsets;
  const { records, malformed } = await log.read('triggers', partition, from, page);
  const found = new Map<number, QueuedTrigger>();
  for (const record of records)
    if (record.type === 'TriggerRequested') found.set(record.offset, withoutReadTime(record));
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

/** Without `readAt`, which is the time of the first read. */
function withoutReadTime(record: StoredRecord<Trigger>): QueuedTrigger {
  const { readAt: _, ...trigger } = queuedTriggerOf(record);
  return trigger;
}
