// The newest fact on `retention`, for those who begin to work by it.
import type { RecordOn } from '../../domain/messages-of.ts';
import type { CheckedLog } from './reading/checked-log.ts';

/** Few: older ones go as newer ones come. */
const pageBounds = { recordsMax: 1_000, bytesMax: 1024 * 1024 };

/** Undefined: nothing was ever given up. */
export async function newestRetention(log: Pick<CheckedLog, 'read'>): Promise<RecordOn<'retention'> | undefined> {
  let newest: RecordOn<'retention'> | undefined;
  for (let from = 0; ;) {
    const { records, next } = await log.read('retention', 0, from, pageBounds);
    newest = records.at(-1) ?? newest;
    if (next <= from) return newest;
    from = next;
  }
}
