// Removes the events from the records of an append: a task needs only the others, and there can be thousands of events.
import type { Appends } from '../../../domain/flow.ts';
import type { OutgoingOn } from '../../../log/log.ts';

type Outgoing = OutgoingOn<Appends<'runtime'>>;

/** The records that are not on `channels`, each with its offset. */
export function withoutEvents(
  records: readonly Outgoing[],
  offsets: readonly number[],
): { readonly records: readonly Outgoing[]; readonly offsets: readonly number[] } {
  const others: { records: Outgoing[]; offsets: number[] } = { records: [], offsets: [] };
  // By index: an iterator over thousands costs milliseconds while the code is new.
  for (let at = 0; at < records.length; at++) {
    const record = records[at];
    if (record === undefined || record.topic === 'channels') continue;
    others.records.push(record);
    others.offsets.push(offsets[at] ?? NaN);
  }
  return others;
}
