// The newest fact on `retention`, for those who begin to work by it.
import type { StoredRecord } from '../../domain/message.ts';
import type { RetentionEvent } from '../../domain/retention/messages.ts';
import type { Log } from '../../log/log.ts';
import { newestIn } from './restoring/replay.ts';

/** Undefined: nothing was ever given up. Few are read: older ones go as newer ones come. */
export async function newestRetention(log: Pick<Log, 'read'>): Promise<StoredRecord<RetentionEvent> | undefined> {
  return (await newestIn(log, { topic: 'retention', partition: 0 })) as StoredRecord<RetentionEvent> | undefined;
}
