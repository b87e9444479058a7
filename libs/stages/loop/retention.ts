// The newest fact on `retention`, for those who begin to work by it.
import type { StoredRecord } from '../../domain/message.ts';
import type { RetentionEvent } from '../../domain/retention/messages.ts';
import type { Log } from '../../log/log.ts';

/** Few: older ones go as newer ones come. */
const pageBounds = { recordsMax: 1_000, bytesMax: 1024 * 1024 };

/** Undefined: nothing was ever given up. */
export async function newestRetention(log: Pick<Log, 'read'>): Promise<StoredRecord<RetentionEvent> | undefined> {
  let newest: StoredRecord<RetentionEvent> | undefined;
  for (let from = 0; ;) {
    const { records, next } = await log.read('retention', 0, from, pageBounds);
    newest = (records.at(-1) as StoredRecord<RetentionEvent> | undefined) ?? newest;
    if (next <= from) return newest;
    from = next;
  }
}
