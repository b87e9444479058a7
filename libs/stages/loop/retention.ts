// Reads the newest record of `retention`, for stages that start from it.
import type { RecordOn } from '../../domain/messages-of.ts';
import type { CheckedLog } from './reading/checked-log.ts';
import { newestRecord } from './restoring/for-each-record.ts';

/** Undefined when nothing has expired yet. Reads few records: the topic is compacted. */
export async function newestRetention(log: Pick<CheckedLog, 'read'>): Promise<RecordOn<'retention'> | undefined> {
  return await newestRecord(log, { topic: 'retention', partition: 0 });
}
