// The newest fact on `retention`, for those who begin to work by it.
import type { RecordOn } from '../../domain/messages-of.ts';
import type { CheckedLog } from './reading/checked-log.ts';
import { newestIn } from './restoring/replay.ts';

/** Undefined: nothing was ever given up. Few are read: older ones go as newer ones come. */
export async function newestRetention(log: Pick<CheckedLog, 'read'>): Promise<RecordOn<'retention'> | undefined> {
  return await newestIn(log, { topic: 'retention', partition: 0 });
}
