// The filters and transforms of subscriptions: whether one leaves an event out, and what is to be made of an event.
import type { FilterDefinition } from '../../../domain/listener/definition/messages.ts';
import type { Filter } from '../../../domain/delivery/filter/filter.ts';
import { mismatch } from '../../../domain/delivery/filter/match.ts';
import { readFilter } from '../../../domain/delivery/filter/read-filter.ts';
import type { EmittedRecord } from '../events/buffer.ts';

/** A filter that holds for events from this offset on. */
interface Since {
  readonly from: number;
  /** Undefined: every event is wanted. */
  readonly filter: Filter | undefined;
  /** Undefined: the event is sent as it is. */
  readonly transform: string | undefined;
}

/** In the order of their offsets. */
export type SubscriptionFilters = readonly Since[];

export const filtersOf = ({ partition, filters }: FilterDefinition['data']): SubscriptionFilters =>
  filters.map(({ channelEnds, filter, transform }) => {
    const read = filter === null ? undefined : readFilter(filter);
    const from = channelEnds[partition] ?? 0;
    return { from, filter: read !== undefined && 'filter' in read ? read.filter : undefined, transform };
  });

/** Whether the event is left out, although it is on the subscription's channel. */
export function isFilteredOut(
  { filters }: { readonly filters?: SubscriptionFilters | undefined },
  { offset, data }: EmittedRecord,
): boolean {
  const filter = filters?.findLast(({ from }) => from <= offset)?.filter;
  return filter !== undefined && mismatch(filter, data.event) !== undefined;
}

/** The transform that holds for the event: the same one at each attempt, replays included. */
export const transformOf = (
  { filters }: { readonly filters?: SubscriptionFilters | undefined },
  { offset }: { readonly offset: number },
): string | undefined => filters?.findLast(({ from }) => from <= offset)?.transform;
