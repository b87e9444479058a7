// What an append holds beside events: nothing that a task remembers of its appends concerns one of thousands of events.
import type { Appends } from '../../../domain/flow.ts';
import type { OutgoingOn } from '../../../log/log.ts';

type Outgoing = OutgoingOn<Appends<'runtime'>>;

/** The records that are not on `channels`, each with its offset. */
export function withoutEvents(
  records: readonly Outgoing[],
  offsets: readonly number[],
): { readonly records: readonly Outgoing[]; readonly offsets: readonly number[] } {
  const kept: { records: Outgoing[]; offsets: number[] } = { records: [], offsets: [] };
  for (const [at, record] of records.entries()) {
    if (record.topic === 'channels') continue;
    kept.records.push(record);
    kept.offsets.push(offsets[at] ?? NaN);
  }
  return kept;
}
