// The filters of subscriptions, parsed once, and whether a subscription's filter leaves an event out.
import type { FilterDefinition } from '../../../domain/definition/messages.ts';
import type { Filter } from '../../../domain/delivery/filter/filter.ts';
import { mismatch } from '../../../domain/delivery/filter/match.ts';
import { readFilter } from '../../../domain/delivery/filter/read-filter.ts';
import type { EmittedRecord } from '../cursors/buffer.ts';

/** A filter that holds for events from this offset on. */
interface Since {
  readonly from: number;
  /** Undefined: every event is wanted. */
  readonly filter: Filter | undefined;
}

/** In the order of their offsets. */
export type SubscriptionFilters = readonly Since[];

export const filtersOf = ({ partition, filters }: FilterDefinition['data']): SubscriptionFilters =>
  filters.map(({ channelEnds, filter }) => {
    const read = filter === null ? undefined : readFilter(filter);
    const from = channelEnds[partition] ?? 0;
    return { from, filter: read !== undefined && 'filter' in read ? read.filter : undefined };
  });

/** Whether the event is left out, although it is on the subscription's channel. */
export function isFilteredOut(
  { filters }: { readonly filters?: SubscriptionFilters | undefined },
  { offset, data }: EmittedRecord,
): boolean {
  const filter = filters?.findLast(({ from }) => from <= offset)?.filter;
  return filter !== undefined && mismatch(filter, data.event) !== undefined;
}
